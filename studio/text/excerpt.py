"""The beginning of a passage, where there is room for one line of it."""

from __future__ import annotations


def excerpt(text: str, longest: int) -> str:
    """`text` on one line, cut with an ellipsis to at most `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
