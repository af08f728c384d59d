"""A block's lines: each with an id, what it is and why it is told, so that it can be priced."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from studio.story.notes import without_notes

_APART = ("characters", "world", "location", "summaries", "neighbours", "volume-outline")
JOINTS: Mapping[str, str] = dict.fromkeys(_APART, "\n\n")
"""What stands between the lines of a block, where it is not a line's end."""


class Line(NamedTuple):
    """One piece of a block that is told or left out as a whole."""

    id: str
    text: str
    kind: str = "text"
    """`text`, `character`, `one line`, `relationship`, `place`, `summary`, `promise`, `rule` ..."""
    why: str = ""
    """Why it is there: `contract`, `mention at 1.4`, `link from mara`, `due`, `recent`, ..."""
    needed: bool = False
    """Whether it is told whatever it costs: rules."""
    worth: int = 0
    """Of lines of a block the one worth least goes first; of equals the last."""


Lines = tuple[Line, ...]


def joined(name: str, lines: Iterable[Line]) -> str:
    """The words of a block."""
    return JOINTS.get(name, "\n").join(line.text for line in lines if line.text.strip())


def bare(blocks: Mapping[str, Lines], own: Collection[str]) -> dict[str, Lines]:
    """The lines without notes to people, of blocks that the call does not bring itself."""
    return {
        name: tuple(line._replace(text=without_notes(line.text)) for line in lines)
        for name, lines in blocks.items()
        if name not in own
    }
