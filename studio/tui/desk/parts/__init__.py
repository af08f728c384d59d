"""The features of the desk: a plain object for each, and the sentences they show."""
