"""A change as a person reads it: old over new where little stayed, word by word where much did.

Each row has a mark in its margin, so that nothing is told by colour alone. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from studio.tui.views.prose.diff_lines import Step, lines, marked
from studio.tui.views.signs import BREAK, CAME, CHANGED, GONE

Mark = Literal[" ", "-", "+", "~"]
"""What a row is: as it was, gone, come, or changed within."""
SIGNS: dict[Mark, str] = {" ": " ", "-": GONE.glyph, "+": CAME.glyph, "~": CHANGED.glyph}
"""As drawn where more than ASCII can be."""
MARGIN = 2
"""Cells left of the words."""
_MUCH = 0.5
"""Share of a passage that has to stay for it to be shown word by word."""
_NEVER_JOINED = (("removed", "added"), ("removed", "pending"), ("added", "pending"))
"""Kinds of neighbours between which a blank stands."""
_GAPS = re.compile(r"(\n{2,})")


class Row(NamedTuple):
    """A row of a diff."""

    mark: Mark
    steps: list[Step]


def rows(changes: Iterable[Step], width: int, *, plain: bool = False) -> list[Row]:
    """The steps as rows of so many cells, margin included; with `plain` for no colours."""
    room = max(1, width - MARGIN)
    laid: list[Row] = []
    for number, passage in enumerate(_passages(changes)):
        if number:
            laid.append(Row(" ", []))
        laid += _of_passage(passage, room, plain)
    return laid


def joined_up(changes: Iterable[Step]) -> list[Step]:
    """The steps without short stretches that stayed by chance between two longer changes: old
    and new words in turn can be read by nobody."""
    tidy: list[Step] = []
    steps = list(changes)
    for number, step in enumerate(steps):
        before = _changed(steps[:number][::-1])
        after = _changed(steps[number + 1 :])
        if step.kind == "same" and len(step.text) <= min(before, after):
            tidy += [Step("removed", step.text), Step("added", step.text)]
        else:
            tidy.append(step)
    return _old_before_new(tidy)


def _changed(steps: Sequence[Step]) -> int:
    """How long the change is that these steps begin with: the longer of what went and came."""
    lengths = {"removed": 0, "added": 0}
    for kind, text in steps:
        if kind not in lengths:
            break
        lengths[kind] += len(text)
    return max(lengths.values())


def _old_before_new(steps: Iterable[Step]) -> list[Step]:
    """Neighbours of a kind joined, and in each change what went before what came."""
    tidy: list[Step] = []
    went, came = "", ""
    for step in (*steps, Step("head", "")):
        if step.kind == "removed":
            went += step.text
        elif step.kind == "added":
            came += step.text
        else:
            pair = (Step("removed", went), Step("added", came))
            tidy += [one for one in (*pair, step) if one.text]
            went, came = "", ""
    return tidy


def _passages(changes: Iterable[Step]) -> Iterator[list[Step]]:
    """The steps cut where a paragraph ends on both sides."""
    passage: list[Step] = []
    for step in changes:
        if step.kind != "same":
            passage.append(step)
            continue
        if passage and all(s.kind != "same" and s.text.endswith("\n\n") for s in passage):
            yield passage
            passage = []
        for number, piece in enumerate(_GAPS.split(step.text)):
            if number % 2:
                yield passage
                passage = []
            elif piece:
                passage.append(Step("same", piece))
    if passage:
        yield passage


def _of_passage(passage: list[Step], room: int, plain: bool) -> list[Row]:
    kinds = {step.kind for step in passage}
    if not kinds & {"removed", "added"}:
        return [Row(" ", row) for row in lines(passage, room)]
    if "pending" not in kinds and _share(passage) < _MUCH:
        old, new = _side(passage, "removed"), _side(passage, "added")
        return [
            *(Row("-", row) for row in _block(old, "removed", room)),
            *(Row("+", row) for row in _block(new, "added", room)),
        ]
    pieces = joined_up(passage)
    pieces = marked(pieces) if plain else _apart(pieces)
    return [
        Row("~" if {s.kind for s in row} & {"removed", "added"} else " ", row)
        for row in lines(pieces, room, "" if plain else BREAK.glyph)
    ]


def _share(passage: list[Step]) -> float:
    """How much of the passage stayed, in letters, 0 to 1."""
    lengths = {"same": 0, "removed": 0, "added": 0}
    for kind, text in passage:
        if kind in lengths:
            lengths[kind] += sum(map(str.isalnum, text))
    longest = lengths["same"] + max(lengths["removed"], lengths["added"])
    return lengths["same"] / longest if longest else 1.0


def _side(passage: list[Step], kind: Literal["removed", "added"]) -> str:
    """The whole passage as it was, or as it is."""
    return "".join(step.text for step in passage if step.kind in ("same", kind)).strip("\n")


def _block(text: str, kind: Literal["removed", "added"], room: int) -> list[list[Step]]:
    block: Literal["old", "new"] = "old" if kind == "removed" else "new"
    return lines([Step(block, text)], room) if text.strip() else []


def _apart(steps: list[Step]) -> list[Step]:
    """What went, what came in its place, and what a stream has not reached yet never run into one
    word."""
    apart: list[Step] = []
    for step in steps:
        before = apart[-1] if apart else Step("same", "")
        if (before.kind, step.kind) in _NEVER_JOINED and not before.text[-1:].isspace():
            apart.append(Step("same", " "))
        apart.append(step)
    return apart
