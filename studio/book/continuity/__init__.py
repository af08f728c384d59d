"""Contradictions and loose threads, detected by code: one detector per module, in one registry."""
