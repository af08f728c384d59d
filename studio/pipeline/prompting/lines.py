"""The lines of a block: each has an id, a kind and a reason, so that it can be priced."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from studio.messages import said
from studio.story.notes import without_notes

_APART = ("people", "world", "place", "summaries", "neighbours", "volume-outline")
_PROSE = ("previous-tail", "chapter-so-far", "exemplars")
JOINTS: Mapping[str, str] = dict.fromkeys((*_APART, *_PROSE), "\n\n")
"""The separator between the lines of a block, where it is not a line break."""


_WORDS = (
    *(said("always"), said("pinned"), said("yours"), said("contract"), said("schedule")),
    *(said("recent"), said("related"), said("before"), said("storyline"), said("neighbours")),
    *(said("volume"), said("outline"), said("state"), said("style"), said("relationship")),
    *(said("sticky"), said("short-listed"), said("one line"), said("id"), said("due")),
    *(said("character"), said("place"), said("item"), said("summary"), said("promise")),
    *(said("rule"), said("rules"), said("plan"), said("scene"), said("prose"), said("hint")),
    *(said("memory"), said("review"), said("era"), said("crossref"), said("resting line")),
    *(said("break"), said("exemplar"), said("guidelines"), said("summaries"), said("text")),
)
_SAID: Mapping[str, str] = {word: word for word in _WORDS}


def line_word(word: str) -> str:
    """Returns a kind, a reason or an id of a line that is a word of ours as a message, and any
    other as it is."""
    return _SAID.get(word, word)


class Line(NamedTuple):
    """One piece of a block that is included or dropped as a whole."""

    id: str
    text: str
    kind: str = "text"
    """`text`, `character`, `one line`, `relationship`, `place`, `summary`, `promise`, `rule` ..."""
    why: str = ""
    """The reason for the line: `contract`, `mention at 1.4`, `link from mara`, `due`, `recent`,
    ..."""
    needed: bool = False
    """Whether the line is included whatever it costs: rules."""
    worth: int = 0
    """The rank of the line in its block: the line worth least is dropped first, of equals the
    last."""


Lines = tuple[Line, ...]


def says_something(text: str) -> bool:
    """Whether a text holds more than headings."""
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines())


def joined(name: str, lines: Iterable[Line]) -> str:
    """Joins the lines of a block."""
    return JOINTS.get(name, "\n").join(line.text for line in lines if line.text.strip())


def bare(blocks: Mapping[str, Lines], own: Collection[str]) -> dict[str, Lines]:
    """Strips notes to people from the lines of the blocks that the call does not bring itself."""
    return {
        name: tuple(line._replace(text=without_notes(line.text)) for line in lines)
        for name, lines in blocks.items()
        if name not in own
    }
