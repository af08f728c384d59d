"""Lines of a label, a notice or a card break as those of a text do: none begins with a mark that
closes."""

from __future__ import annotations

from itertools import accumulate

from rich._wrap import divide_line
from textual import content

from studio.tui.views.prose.wrapping import wrap


def _divide(text: str, width: int, fold: bool = True) -> list[int]:
    """Returns where the lines of a text begin, but the first. Where all is ASCII, or no word may be
    broken, Textual's own rule does."""
    if not fold or text.isascii():
        return divide_line(text, width, fold)
    return list(accumulate(map(len, wrap(text, width))))[:-1]


def break_lines_as_prose() -> None:
    """Has Textual break what is not ASCII by the rule of the reading view. Its own knows no mark
    that may not begin a line, as `；` and `）`. It may be called more than once."""
    content.divide_line = _divide  # type: ignore[attr-defined]
