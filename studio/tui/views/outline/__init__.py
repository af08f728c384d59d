"""The outline: the book as rows, and each row as text."""
