"""Brings the book up to date after chapters were changed by hand."""
