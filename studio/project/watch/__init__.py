"""Noticing what other programs change."""
