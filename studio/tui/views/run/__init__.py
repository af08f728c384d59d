"""A run while it lasts: its state, and how it is displayed."""
