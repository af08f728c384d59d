"""Imports manuscripts: reads, splits into chapters, applies corrections, and stores."""
