"""What can be done at the desk: a plain object for each, and its sentences."""
