"""Other people's code: what it may hook into, and the process it runs in (C3)."""
