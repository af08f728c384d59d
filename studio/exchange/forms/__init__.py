"""The formats that a book is exported to: text, web page, e-book and manuscript."""
