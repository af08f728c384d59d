"""One chapter: what agents and measures see of it, what a run needs to write it, and which text
was derived from which."""
