"""Measures: text in, findings out. No project, no model, no files but its own language packs."""
