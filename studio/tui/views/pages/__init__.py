"""The content of the pages for reading, as lines."""
