"""The terminal itself: its capabilities, its streams, and the external editor that runs in it."""
