"""Features of the desk that are about the book as a whole."""
