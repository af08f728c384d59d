"""The terminal itself: what it can do, its streams, another editor in it."""
