"""The board: the whole book in figures on one page, each row a way to its chapter."""
