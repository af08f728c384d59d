"""Settings: which exist, where their values come from, and where the studio keeps its own files."""
