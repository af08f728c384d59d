"""Detects changes made by other programs."""
