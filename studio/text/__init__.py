"""Text measurement: text in, findings out; no project, no model, no files but language packs."""
