"""Contradictions and loose threads, found by code: one detector a module, in one registry."""
