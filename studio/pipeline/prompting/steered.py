"""The writer's pins, mutes and swaps on the lines of a call (context/lines.json, BOOK 6)."""

from __future__ import annotations

from collections.abc import Iterable

from studio.book.line_choices import NEVER_MUTED
from studio.pipeline.prompting.lines import Line, Lines
from studio.story.prompt_config import Steering

_LONGEST = 160
"""The most characters of a line in its short form."""
_ENDS = ".!?。！？\n"
OWN_FORMS = frozenset({"people"})
"""Blocks that make the short form of their lines themselves."""


def steered(block: str, lines: Iterable[Line], steering: Steering) -> Lines:
    """Returns the lines of a block as the writer wants them: muted lines are out, rules
    excepted; pinned lines stay whatever they cost; swapped lines change between full and short
    form."""
    if not (steering.muted or steering.swapped or steering.pinned):
        return tuple(lines)
    made = []
    for line in lines:
        name = f"{block}/{line.id}"
        if name in steering.muted and not line.needed and block not in NEVER_MUTED:
            continue
        if steering.swapped.get(name) == "one_line" and block not in OWN_FORMS and not line.needed:
            line = line._replace(text=one_line(line.text))
        if name in steering.pinned:
            line = line._replace(why="pinned", needed=True)
        made.append(line)
    return tuple(made)


def one_line(text: str) -> str:
    """Returns a heading unchanged, and the first sentence of the words below it."""
    head, _, rest = text.strip().partition("\n")
    if not head.startswith("#"):
        head, rest = "", text.strip()
    words = " ".join(rest.split())
    ends = [end for mark in _ENDS if (end := words.find(mark)) >= 0]
    first = words[: min(ends) + 1] if ends else words
    first = first if len(first) <= _LONGEST else f"{first[:_LONGEST].rstrip()}…"
    return "\n".join(part for part in (head, first) if part)
