"""Documents of other programs as Markdown: Word, e-books, web pages, Scrivener, RTF."""
