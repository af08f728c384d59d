"""The outline: the book as rows, and a row as words."""
