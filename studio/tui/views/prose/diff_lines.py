"""A passage before and after a change as lines: removed text, added text, and text that a stream
has not reached yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from studio.text.diff import diff
from studio.text.safe import safe_text
from studio.tui.views.prose.wrapping import wrap

Kind = Literal["head", "same", "removed", "added", "old", "new", "pending"]

_MARKS: dict[Kind, tuple[str, str]] = {"removed": ("[-", "-]"), "added": ("{+", "+}")}
_LOOK_AHEAD = 40
"""The number of characters searched for the end of a sentence or word where the stream stands."""
_ENDS = "\n.!?。！？… "


class Step(NamedTuple):
    """A stretch of the passage of one kind."""

    kind: Kind
    text: str


def steps(before: str, after: str, language: str, finished: bool = True) -> list[Step]:
    """Returns the changes; for an unfinished `after`, text it has not reached is pending, not
    removed."""
    before, after = safe_text(before), safe_text(after)
    reached = len(before) if finished else _reached(before, len(after))
    changes = [Step(c.kind, c.text) for c in diff(before[:reached], after, language)]
    if not finished and changes and changes[-1].kind == "removed":
        reached -= len(changes.pop().text)
    if reached < len(before):
        changes.append(Step("pending", before[reached:]))
    return [step for step in changes if step.text]


def marked(changes: Iterable[Step]) -> list[Step]:
    """Returns the steps with marks that work without colour: [-removed-] {+added+}."""
    return [
        Step(kind, _MARKS[kind][0] + text + _MARKS[kind][1] if kind in _MARKS else text)
        for kind, text in changes
    ]


def lines(changes: Iterable[Step], width: int, pilcrow: str = "") -> list[list[Step]]:
    """Cuts the steps into lines that fit; an added or removed line break is drawn as a pilcrow."""
    pieces = [
        Step(kind, text.replace("\n", f"{pilcrow}\n") if kind in _MARKS else text)
        for kind, text in changes
    ]
    stretches = iter(pieces)
    step = next(stretches, None)
    rows: list[list[Step]] = []
    for line in wrap("".join(text for _, text in pieces).replace("\t", " "), width):
        row: list[Step] = []
        room = len(line)
        while room and step is not None:
            row.append(Step(step.kind, step.text[:room]))
            room -= len(row[-1].text)
            rest = step.text[len(row[-1].text) :]
            step = Step(step.kind, rest) if rest else next(stretches, None)
        rows.append(list(_trimmed(row)))
    return rows


def headed(words: str, width: int) -> list[list[Step]]:
    """Returns a sentence above a diff, and a blank line after it."""
    rows = [line.strip() for line in wrap(safe_text(words), width)] if words else []
    return [*([Step("head", line)] for line in rows), *([[]] if rows else [])]


def _reached(before: str, length: int) -> int:
    """Returns how much of `before` is compared with an unfinished `after` of that length: up to the
    end of a word nearby."""
    for place in range(length, min(length + _LOOK_AHEAD, len(before))):
        if place and before[place - 1] in _ENDS:
            return place
    return min(length + _LOOK_AHEAD, len(before))


def _trimmed(row: list[Step]) -> Iterator[Step]:
    """Yields the row without trailing white space."""
    text_of_row = "".join(text for _, text in row).rstrip()
    room = len(text_of_row)
    for kind, text in row:
        if piece := text[:room]:
            yield Step(kind, piece)
        room -= len(piece)
