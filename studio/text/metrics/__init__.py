"""Prose metrics: numbers, each with the places it was counted at."""
