"""Chapters' numbers in the logs that are only appended to, read as they are today.

A change of plans that renumbers chapters appends a line to each of these logs, in its transaction:
`{"renumber": {"3": 5, "4": "c004"}, "ts": "..."}`. What stands before it about chapter 3 is about
chapter 5 from there on; chapter 4 was taken out and goes by its id, until a line gives it a number
again. Whoever reads a line applies the maps of all that follow it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from studio.story.form.document import encode_line
from studio.story.form.slugs import chapter_name

_KEY = b'"renumber"'
_OF_A_CHAPTER = re.compile(
    r"^((?:staging/)?(?:chapters|summaries|evaluations|imports|variations|state(?:/crossref)?"
    r"|scenes|volumes/vol-\d+/chapter-contracts)/)chapter-(\d{3,}|c[0-9a-f]+)(?=[-./]|$)"
)
Numbers = Callable[[int], int | str]
"""From the number that a line has to the number of the same chapter today, or the id of one that
was taken out."""


def renumber_line(numbers: Mapping[str, int | str], ts: str) -> bytes:
    """Returns the line that says the new numbers of chapters by their old ones."""
    return encode_line({"renumber": dict(numbers), "ts": ts})


def read_renumbering(raw: object) -> Mapping[str, int | str] | None:
    """Returns the map in a decoded line; None for a line of another kind."""
    numbers = raw.get("renumber") if isinstance(raw, dict) and len(raw) == 2 else None
    if not isinstance(numbers, dict) or not isinstance(raw, dict) or "ts" not in raw:
        return None
    fits = all(type(new) is int or isinstance(new, str) for new in numbers.values())
    return numbers if fits else None


def has_renumberings(data: bytes) -> bool:
    """Whether any line of a log may renumber chapters; most books have none."""
    return _KEY in data


class Renumberings:
    """The maps of one log, each with its place in it: a position, or a time."""

    def __init__(self, places: Sequence[Any], maps: Sequence[Mapping[str, int | str]]) -> None:
        self._places = places
        self._following: list[dict[str, int | str]] = [{}]
        for numbers in reversed(maps):  # first this map, then all that follow it
            after = self._following[-1]
            through = {old: after.get(str(new), new) for old, new in numbers.items()}
            self._following.append({**after, **through})
        self._following.reverse()

    @classmethod
    def among(cls, rows: Iterable[object]) -> Renumberings:
        """Returns those in the decoded lines of a log, by position."""
        lines = [(at, m) for at, row in enumerate(rows) if (m := read_renumbering(row)) is not None]
        return cls([at for at, _ in lines], [numbers for _, numbers in lines])

    @property
    def numbers_before_a_move(self) -> set[int]:
        """The numbers that any chapter ever had before it got another one."""
        return {int(n) for numbers in self._following for n in numbers if n.isdecimal()}

    def since(self, place: Any) -> Numbers:
        """Returns what the numbers at a place of the log became."""
        numbers = self._following[bisect_right(self._places, place)]
        return lambda number: numbers.get(str(number), number)


def path_today(path: str, numbers: Numbers) -> str:
    """Returns the path that a chapter's file has today; of a chapter that was taken out, one with
    its id for a number."""
    match = _OF_A_CHAPTER.match(path)
    if match is None or not match[2].isdecimal():
        return path
    now = numbers(int(match[2]))
    name = chapter_name(now) if isinstance(now, int) else f"chapter-{now}"
    return f"{match[1]}{name}{path[match.end() :]}"
