"""How often human fiction of a language uses a word, a run of words or a form: figures, no text.

`python -m bench background DIR` makes a table of works that anybody may copy; docs/prose.md says
how they were chosen. Of each word and run the table holds a hash, how often it occurs and the most
that one chapter's length of a work has of it. What the works use more rarely than the table holds
counts as half of the least it holds.
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

from studio.text.language.reference import FEWEST_AUTHORS, Work

_FOLDER = Path(__file__).parent / "background"
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
    works: tuple[Work, ...]
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
        data = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return FictionTable(1, (), 1, 1, array("I"), b"", b"", {})
    hashes = array("I")
    hashes.frombytes(b64decode(data["hashes"]))
    if sys.byteorder == "big":
        hashes.byteswap()
    return FictionTable(
        data["window"],
        tuple(Work(**work) for work in data["works"]),
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
