"""Contradictions injected into published books by a script, to test the detectors."""
