"""Tests of studio.book: what the studio remembers of a book."""
