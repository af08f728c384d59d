"""One chapter: what it is seen with, what it is written with, which text came of which."""
