"""One writer at a time: who holds a novel, and since when."""
