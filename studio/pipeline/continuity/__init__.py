"""The book read against itself by a model: windows of chapters, quotes, a disproof (G8)."""
