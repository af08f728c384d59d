"""A block's lines: each with an id, what it is and why it is told, so that it can be priced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_APART = ("characters", "world", "location", "summaries", "neighbours")
JOINTS: Mapping[str, str] = dict.fromkeys(_APART, "\n\n")
"""What stands between the lines of a block, where it is not a line's end."""


@dataclass(frozen=True, slots=True)
class Line:
    """One piece of a block that is told or left out as a whole."""

    id: str
    text: str
    kind: str = "text"
    """`text`, `character`, `one line`, `relationship`, `place`, `summary`, `promise`, `rule` ..."""
    why: str = ""
    """Why it is there: `contract`, `mention at 1.4`, `link from mara`, `due`, `recent`, ..."""
    needed: bool = False
    """Whether it is told whatever it costs: rules, pins."""


Lines = tuple[Line, ...]


def joined(name: str, lines: Iterable[Line]) -> str:
    """The words of a block."""
    return JOINTS.get(name, "\n").join(line.text for line in lines if line.text.strip())
