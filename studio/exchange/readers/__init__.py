"""Converts documents of other programs to Markdown: Word, e-books, web pages, Scrivener, RTF."""
