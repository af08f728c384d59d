"""Labelled prose that the program had not read when it was written: filter words in braces.

A lot is read once before any rule is changed for it; what came of that stands
in first-reading.toml for good. Of a lot that has since taught the rules,
`learned` says so: from then on it shows nothing of prose never read before.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

from tests.text.agreement import Tally
from tests.text.labelled import FOLDER, Passage

_UNREAD = FOLDER / "unread"
_MARK = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Lot:
    """Passages of one language that were written together."""

    name: str
    """`ko-1`, the file's name."""
    learned: bool
    first: Tally
    """What the program found when it first read them; the misses are not kept."""
    passages: tuple[Passage, ...]

    @property
    def language(self) -> str:
        """The language all of it is in."""
        return self.name.partition("-")[0]


def lots() -> list[Lot]:
    """Every lot with a first reading, by name."""
    read = tomllib.loads((_UNREAD / "first-reading.toml").read_text("utf-8"))
    return [_lot(name, **read[name]) for name in sorted(read)]


def _lot(name: str, *, learned: bool, both: int, program_only: int, reader_only: int) -> Lot:
    return Lot(name, learned, Tally(both, program_only, reader_only, ()), passages_of(name))


def passages_of(name: str) -> tuple[Passage, ...]:
    """The passages of one file; their sentences and speech are not labelled."""
    entries = tomllib.loads((_UNREAD / f"{name}.toml").read_text("utf-8"))["passage"]
    return tuple(_passage(name, entry["note"], entry["text"].strip()) for entry in entries)


def _passage(name: str, note: str, marked: str) -> Passage:
    places, text, at = [], "", 0
    for match in _MARK.finditer(marked):
        text += marked[at : match.start()]
        places.append((len(text), len(text) + len(match[1])))
        text += match[1]
        at = match.end()
    words = tuple(match[1] for match in _MARK.finditer(marked))
    return Passage(
        language=name.partition("-")[0],
        file=name,
        note=note,
        text=text + marked[at:],
        sentences=(),
        dialogue=(),
        filter=words,
        filter_places=tuple(places),
    )


LOTS = lots()
