"""A change laid in rows of a width, and text that a stream has not reached yet.

Each row has a mark in its margin, so nothing is conveyed by colour alone. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from studio.text.changed_lines import Mark, changed_lines
from studio.text.diff import Change, diff_to_read
from studio.text.safe import safe_text
from studio.tui.views.prose.wrapping import wrap

DiffRowKind = Literal["head", "same", "removed", "added", "old", "new", "pending"]

_LOOK_AHEAD = 40
"""The number of characters searched for the end of a sentence or word where the stream stands."""
_HALF_WORD = re.compile(r"[^\W_](?:\w|['’-])*\Z")
"""A word at the end of a stream, of which more may come."""
_ENDS = "\n.!?。！？… "


class DiffStep(NamedTuple):
    """A stretch of the passage of one kind."""

    kind: DiffRowKind
    text: str


def steps(before: str, after: str, language: str, finished: bool = True) -> list[DiffStep]:
    """Returns the changes; for an unfinished `after`, text it has not reached is pending, not
    removed, and the word it stands in counts once it is whole: half a word is no change."""
    before, after = safe_text(before), safe_text(after)
    if not finished and language != "zh":
        after = _HALF_WORD.sub("", after)
    reached = len(before) if finished else _length_compared(before, len(after))
    changes = [DiffStep(c.kind, c.text) for c in diff_to_read(before[:reached], after, language)]
    if not finished and changes and changes[-1].kind == "removed":
        reached -= len(changes.pop().text)
    if reached < len(before):
        changes.append(DiffStep("pending", before[reached:]))
    return [step for step in changes if step.text]


def lines(pieces: Iterable[DiffStep], width: int) -> list[list[DiffStep]]:
    """Cuts the steps into lines that fit."""
    pieces = list(pieces)
    stretches = iter(pieces)
    step = next(stretches, None)
    rows: list[list[DiffStep]] = []
    for line in wrap("".join(text for _, text in pieces).replace("\t", " "), width):
        row: list[DiffStep] = []
        room = len(line)
        while room and step is not None:
            row.append(DiffStep(step.kind, step.text[:room]))
            room -= len(row[-1].text)
            rest = step.text[len(row[-1].text) :]
            step = DiffStep(step.kind, rest) if rest else next(stretches, None)
        rows.append(list(_trim(row)))
    return rows


def rows_of_head(words: str, width: int) -> list[list[DiffStep]]:
    """Returns a sentence above a diff, and a blank line after it."""
    rows = [line.strip() for line in wrap(safe_text(words), width)] if words else []
    return [*([DiffStep("head", line)] for line in rows), *([[]] if rows else [])]


def _length_compared(before: str, length: int) -> int:
    """Returns how much of `before` is compared with an unfinished `after` of that length: up to the
    end of a word nearby."""
    for place in range(length, min(length + _LOOK_AHEAD, len(before))):
        if place and before[place - 1] in _ENDS:
            return place
    return min(length + _LOOK_AHEAD, len(before))


def _trim(row: list[DiffStep]) -> Iterator[DiffStep]:
    """Yields the row without trailing white space."""
    text_of_row = "".join(text for _, text in row).rstrip()
    room = len(text_of_row)
    for kind, text in row:
        if piece := text[:room]:
            yield DiffStep(kind, piece)
        room -= len(piece)


MARGIN = 2
"""The width of the margin to the left of the text, in cells."""


class DiffRow(NamedTuple):
    """A row of a diff."""

    mark: Mark
    steps: list[DiffStep]


def rows(changes: Iterable[DiffStep], width: int) -> list[DiffRow]:
    """Returns the steps as rows of `width` cells, margin included."""
    room = max(1, width - MARGIN)
    reached, pending = list[Change](), list[DiffStep]()
    for step in changes:
        if step.kind in ("same", "removed", "added"):
            reached.append(Change(step.kind, step.text))
        else:
            pending.append(step)
    laid: list[DiffRow] = []
    for mark, pieces in changed_lines(reached):
        for row in lines(_toned(mark, pieces), room):
            stayed = mark == "~" and all(kind == "same" for kind, _ in row)
            laid.append(DiffRow(" " if stayed else mark, row))
    return laid + [DiffRow(" ", row) for row in lines(pending, room) if pending]


def _toned(mark: Mark, pieces: Iterable[Change]) -> Iterator[DiffStep]:
    whole: dict[Mark, DiffRowKind] = {"-": "old", "+": "new"}
    return (DiffStep(whole.get(mark, step.kind), step.text) for step in pieces)
