"""Checks whether everything in a novel fits together, and repairs what does not."""
