"""A model checks the book against itself: windows of chapters, quotes, a disproof (G8)."""
