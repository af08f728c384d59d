"""The book in the forms it leaves the studio in: text, web page, e-book, manuscript."""
