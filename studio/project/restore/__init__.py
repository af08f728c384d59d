"""Restores earlier versions of texts."""
