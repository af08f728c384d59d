"""Directives: decided by the writer, carried out by the surgeon, undone alone."""
