"""What agents may look up while they work, and where plugins come in."""
