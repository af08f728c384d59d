"""Prose in numbers, each with the places it was counted at."""
