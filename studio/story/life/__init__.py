"""The life of a book: its states, and the progress of its beginning."""
