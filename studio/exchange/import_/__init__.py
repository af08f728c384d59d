"""From a manuscript to chapters: read, cut, corrected by the writer, brought in."""
