"""What the app runs on: its loop, its threads, faults, themes."""
