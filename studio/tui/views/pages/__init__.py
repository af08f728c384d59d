"""The pages to read, as lines."""
