"""Directives: the writer decides on them, the surgeon carries them out, and each can be undone
alone."""
