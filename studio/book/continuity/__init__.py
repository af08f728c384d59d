"""Contradictions and loose threads of the book, detected by code."""
