"""From an empty folder to the first chapters of a book, a step at a time."""
