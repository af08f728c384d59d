"""The desk: outline, text and directives, and everything a writer does there."""
