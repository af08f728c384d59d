"""What published prose of a language measures, and how often it uses a word, a run of words or a
form: figures, never a text.

`python -m bench reference DIR` and `python -m bench background DIR` generate the data from works
that anybody may copy; the works are listed with the values. docs/prose.md says how they were
chosen. Of each word and run the table holds a hash, how often it occurs and the most that one
chapter's length of a work has of it. What the works use more rarely than the table holds counts as
half of the least it holds.
"""

from __future__ import annotations

import json
import math
import sys
import zlib
from array import array
from base64 import b64decode
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent / "reference"
FEWEST_AUTHORS = 10
"""A figure that rests on fewer authors says nothing about a language."""


@dataclass(frozen=True, slots=True)
class PublishedWork:
    """A published work from which passages were measured."""

    title: str
    author: str
    year: int | None
    """The year of first publication."""
    source: str
    """Where the text is available."""
    windows: int
    """The number of passages measured."""


@dataclass(frozen=True, eq=False)
class Reference:
    """The measurements of published prose in one language."""

    window: int
    """The length of a measured passage, in the language's units."""
    works: tuple[PublishedWork, ...]
    values: Mapping[str, tuple[float, ...]]
    """The values by metric, in ascending order, one per passage that allowed a measurement."""

    @property
    def suffices(self) -> bool:
        """Whether enough authors were measured for anything to be compared with them."""
        return len({work.author for work in self.works}) >= FEWEST_AUTHORS

    @property
    def years(self) -> tuple[int, int]:
        """The first year of the decade of the oldest work, and the year of the newest; (0, 0) for a
        reference without works."""
        years = [work.year for work in self.works if work.year is not None]
        return (min(years) // 10 * 10, max(years)) if years else (0, 0)


@cache
def load_reference(language: str) -> Reference:
    """Returns the reference of `ko`, `en` or `zh`; an empty one for a language that has none."""
    try:
        data = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Reference(1, (), {})
    return Reference(
        data["window"],
        tuple(PublishedWork(**work) for work in data["works"]),
        {name: tuple(values) for name, values in data["values"].items()},
    )


# How often human fiction uses a word


_BACKGROUND = Path(__file__).parent / "background"
STEPS = 12
"""A count is kept as STEPS times its logarithm, rounded: within 4 %."""


class GramUsage(NamedTuple):
    """How human fiction uses a word or run."""

    times: float
    most: int
    """The most that one window has of it."""
    known: bool
    """Whether the table holds it; otherwise both figures are what it may have at most."""


@dataclass(frozen=True, eq=False)
class FormUsage:
    """How often human fiction uses a form."""

    values: tuple[float, ...]
    """Occurrences in 1000 units of narration, in ascending order, one per window."""
    authors: int


@dataclass(frozen=True, eq=False)
class FictionTable:
    """The table of one language."""

    window: int
    """The length of a window in the language's units."""
    works: tuple[PublishedWork, ...]
    words: int
    """The number of words (zh: characters) of narration counted."""
    least: int
    """How often a run of words at least occurs that the table holds."""
    hashes: array[int]
    """In ascending order."""
    counts: bytes
    most: bytes
    forms: Mapping[str, FormUsage]

    @property
    def authors(self) -> int:
        """The number of different authors."""
        return len({work.author for work in self.works})

    @property
    def suffices(self) -> bool:
        """Whether enough authors were counted for anything to be proposed."""
        return self.authors >= FEWEST_AUTHORS

    def usage(self, gram: str) -> GramUsage:
        """Returns how the works use a word or run."""
        wanted = hash_of(gram)
        at = bisect_left(self.hashes, wanted)
        if at < len(self.hashes) and self.hashes[at] == wanted:
            return GramUsage(math.exp(self.counts[at] / STEPS), self.most[at], True)
        return GramUsage(self.least / 2, self.least - 1, False)


def hash_of(gram: str) -> int:
    """Returns the number by which a table knows a word or run."""
    return zlib.crc32(gram.encode())


@cache
def load_background(language: str) -> FictionTable:
    """Returns the table of `ko`, `en` or `zh`; an empty one for a language that has none."""
    try:
        data = json.loads((_BACKGROUND / f"{language}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return FictionTable(1, (), 1, 1, array("I"), b"", b"", {})
    hashes = array("I")
    hashes.frombytes(b64decode(data["hashes"]))
    if sys.byteorder == "big":
        hashes.byteswap()
    return FictionTable(
        data["window"],
        tuple(PublishedWork(**work) for work in data["works"]),
        data["words"],
        data["least"],
        hashes,
        b64decode(data["counts"]),
        b64decode(data["most"]),
        {
            name: FormUsage(tuple(row["values"]), row["authors"])
            for name, row in data["forms"].items()
        },
    )
