"""Runs on the book as a whole: its beginning, the plan of a volume."""
