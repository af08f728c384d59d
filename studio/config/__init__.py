"""Settings: what there is to set, where it comes from, and where the studio keeps its own."""
