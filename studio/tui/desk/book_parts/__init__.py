"""The features of the desk that concern the book as a whole."""
