"""Planning: chapters, people, places, rules, storylines, promises and secrets, changed in single
steps."""
