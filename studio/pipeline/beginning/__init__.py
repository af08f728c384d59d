"""From an empty folder to the first chapters of a book, one step at a time."""
