"""Other versions of a passage: requested, compared, taken (BOOK 7)."""
