"""Directives, choices, advice and decisions in words."""
