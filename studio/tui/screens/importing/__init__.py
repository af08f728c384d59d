"""Bringing a text in: what was read of it, and which files it is read from."""
