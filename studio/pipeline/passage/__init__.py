"""Other versions of a passage: asked for, compared, taken (BOOK 7)."""
