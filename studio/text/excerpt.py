"""Words of a passage shown somewhere else: its beginning, or a quotation of it."""

from __future__ import annotations

_MARKS = '“”‘’«»„‟「」『』《》〈〉｢｣"＂'
"""Quotation marks of the languages we write in; an apostrophe is none of them."""


def excerpt(text: str, longest: int) -> str:
    """`text` on one line, cut with an ellipsis to at most `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def quoted(words: str) -> str:
    """`words` between quotation marks; what begins or ends with one of its own gets no second."""
    plain = words.strip()
    return plain if plain[:1] in _MARKS or plain[-1:] in _MARKS else f"“{plain}”"
