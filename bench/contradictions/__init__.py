"""Contradictions put into published books by a script, and what the detectors make of them."""
