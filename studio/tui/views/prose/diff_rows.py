"""A change in readable form: old over new where little stayed, word by word where much did; as
lines, removed text, added text, and text that a stream has not reached yet.

Each row has a mark in its margin, so nothing is conveyed by colour alone. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from studio.text.diff import diff_to_read
from studio.text.safe import safe_text
from studio.tui.views.prose.wrapping import wrap
from studio.tui.views.signs import BREAK, CAME, CHANGED, GONE

DiffRowKind = Literal["head", "same", "removed", "added", "old", "new", "pending"]

MARKS: dict[DiffRowKind, tuple[str, str]] = {"removed": ("[-", "-]"), "added": ("{+", "+}")}
"""The marks of changed words for screens without colours."""
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


def mark_changes(changes: Iterable[DiffStep]) -> list[DiffStep]:
    """Returns the steps with marks that work without colour: [-removed-] {+added+}."""
    return [
        DiffStep(kind, MARKS[kind][0] + text + MARKS[kind][1] if kind in MARKS else text)
        for kind, text in changes
    ]


def lines(changes: Iterable[DiffStep], width: int, pilcrow: str = "") -> list[list[DiffStep]]:
    """Cuts the steps into lines that fit; an added or removed line break is drawn as a pilcrow."""
    pieces = [
        DiffStep(kind, text.replace("\n", f"{pilcrow}\n") if kind in MARKS else text)
        for kind, text in changes
    ]
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


Mark = Literal[" ", "-", "+", "~"]
"""The kind of a row: unchanged, removed, added, or changed within."""
SIGNS: dict[Mark, str] = {" ": " ", "-": GONE.glyph, "+": CAME.glyph, "~": CHANGED.glyph}
"""The glyphs of the marks outside ASCII mode."""
MARGIN = 2
"""The width of the margin to the left of the text, in cells."""
_MUCH = 0.5
"""The share of a passage that must be unchanged for a diff word by word."""
_NEVER_JOINED = (("removed", "added"), ("removed", "pending"), ("added", "pending"))
"""The kinds of neighbouring steps that are separated by a blank."""
_GAPS = re.compile(r"(\n{2,})")


class DiffRow(NamedTuple):
    """A row of a diff."""

    mark: Mark
    steps: list[DiffStep]


def rows(changes: Iterable[DiffStep], width: int, *, plain: bool = False) -> list[DiffRow]:
    """Returns the steps as rows of `width` cells, margin included; `plain` is for screens without
    colours."""
    room = max(1, width - MARGIN)
    laid: list[DiffRow] = []
    for number, passage in enumerate(_passages(changes)):
        if number:
            laid.append(DiffRow(" ", []))
        laid += _of_passage(passage, room, plain)
    return laid


def joined_up(changes: Iterable[DiffStep]) -> list[DiffStep]:
    """Returns the steps without short unchanged stretches between two longer changes: alternating
    old and new words are unreadable."""
    tidy: list[DiffStep] = []
    steps = list(changes)
    for number, step in enumerate(steps):
        before = _length_of_change(steps[:number][::-1])
        after = _length_of_change(steps[number + 1 :])
        if step.kind == "same" and len(step.text) <= min(before, after):
            tidy += [DiffStep("removed", step.text), DiffStep("added", step.text)]
        else:
            tidy.append(step)
    return _old_before_new(tidy)


def _length_of_change(steps: Sequence[DiffStep]) -> int:
    """Returns the length of the change at the start of these steps: the longer of removed and added
    text."""
    lengths = {"removed": 0, "added": 0}
    for kind, text in steps:
        if kind not in lengths:
            break
        lengths[kind] += len(text)
    return max(lengths.values())


def _old_before_new(steps: Iterable[DiffStep]) -> list[DiffStep]:
    """Joins neighbouring steps of a kind, and puts removed text before added text in each
    change."""
    tidy: list[DiffStep] = []
    went, came = "", ""
    for step in (*steps, DiffStep("head", "")):
        if step.kind == "removed":
            went += step.text
        elif step.kind == "added":
            came += step.text
        else:
            pair = (DiffStep("removed", went), DiffStep("added", came))
            tidy += [one for one in (*pair, step) if one.text]
            went, came = "", ""
    return tidy


def _passages(changes: Iterable[DiffStep]) -> Iterator[list[DiffStep]]:
    """Splits the steps where a paragraph ends on both sides."""
    passage: list[DiffStep] = []
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
                passage.append(DiffStep("same", piece))
    if passage:
        yield passage


def _of_passage(passage: list[DiffStep], room: int, plain: bool) -> list[DiffRow]:
    kinds = {step.kind for step in passage}
    if not kinds & {"removed", "added"}:
        return [DiffRow(" ", row) for row in lines(passage, room)]
    if "pending" not in kinds and _share(passage) < _MUCH:
        old, new = _side(passage, "removed"), _side(passage, "added")
        return [
            *(DiffRow("-", row) for row in _block(old, "removed", room)),
            *(DiffRow("+", row) for row in _block(new, "added", room)),
        ]
    pieces = joined_up(passage)
    pieces = mark_changes(pieces) if plain else _apart(pieces)
    return [
        DiffRow("~" if {s.kind for s in row} & {"removed", "added"} else " ", row)
        for row in lines(pieces, room, "" if plain else BREAK.glyph)
    ]


def _share(passage: list[DiffStep]) -> float:
    """Returns the share of letters in the passage that are unchanged, from 0 to 1."""
    lengths = {"same": 0, "removed": 0, "added": 0}
    for kind, text in passage:
        if kind in lengths:
            lengths[kind] += sum(map(str.isalnum, text))
    longest = lengths["same"] + max(lengths["removed"], lengths["added"])
    return lengths["same"] / longest if longest else 1.0


def _side(passage: list[DiffStep], kind: Literal["removed", "added"]) -> str:
    """Returns the whole passage as it was, or as it is."""
    return "".join(step.text for step in passage if step.kind in ("same", kind)).strip("\n")


def _block(text: str, kind: Literal["removed", "added"], room: int) -> list[list[DiffStep]]:
    block: Literal["old", "new"] = "old" if kind == "removed" else "new"
    return lines([DiffStep(block, text)], room) if text.strip() else []


def _apart(steps: list[DiffStep]) -> list[DiffStep]:
    """Inserts blanks so that removed, added and pending text never run into one word."""
    apart: list[DiffStep] = []
    for step in steps:
        before = apart[-1] if apart else DiffStep("same", "")
        if (before.kind, step.kind) in _NEVER_JOINED and not before.text[-1:].isspace():
            apart.append(DiffStep("same", " "))
        apart.append(step)
    return apart
