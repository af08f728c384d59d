"""A chapter's text: blocks, lines, marks, differences."""
