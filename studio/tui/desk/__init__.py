"""The desk: outline, text and directives, and everything done there."""
