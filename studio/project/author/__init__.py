"""The author's own contributions: her text, imports and style library."""
