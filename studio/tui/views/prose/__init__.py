"""The text of a chapter as values: blocks, lines, marks, differences."""
