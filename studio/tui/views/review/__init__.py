"""Directives and decisions in words."""
