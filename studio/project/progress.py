"""How far a search, a replacement, an import or an export is, for whoever waits for it and may not
want to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

T = TypeVar("T")
Phase = Literal["reading", "changing", "saving", "bringing"]


@dataclass(frozen=True, slots=True)
class Progress:
    """So many of so many texts are done."""

    phase: Phase
    """`saving` and `bringing` change something. What is begun to be saved is finished; what was
    brought in stays where the rest is stopped."""
    done: int
    of: int


Listener = Callable[[Progress], None]
"""Hears of each text. What it raises while texts are read or changed ends the work with nothing
changed; while they are saved it raises nothing."""


def nobody(progress: Progress) -> None:
    """Nobody waits."""


def counted(
    items: Sequence[T], listener: Listener, phase: Literal["reading", "changing"] = "reading"
) -> Iterator[T]:
    """Each of the texts; `listener` hears of it before it is handed out, and of the end of them."""
    for done, item in enumerate(items):
        listener(Progress(phase, done, len(items)))
        yield item
    if items:
        listener(Progress(phase, len(items), len(items)))
