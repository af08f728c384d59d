"""The questions before the line: what a chapter cannot begin or continue without."""
