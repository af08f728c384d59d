"""Forms as values: their fields, and what was typed into them. Pure."""
