"""One writer at a time: the lock of a novel and its holder."""
