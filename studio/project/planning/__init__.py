"""Planning: chapters, people, places, rules, lines, promises and secrets, changed as one step."""
