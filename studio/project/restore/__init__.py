"""Bringing an earlier version back."""
