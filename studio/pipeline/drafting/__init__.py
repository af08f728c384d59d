"""From the plan of a chapter to the scenes that are drafted."""
