"""Progress of a search, replacement, import or export, reported to a listener that may cancel
it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

T = TypeVar("T")
WorkPhase = Literal["reading", "changing", "saving", "bringing"]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an operation: how many texts of how many are done."""

    phase: WorkPhase
    """`saving` and `bringing` change files. Saving is always finished once it has begun; texts
    already brought in stay even if the rest is canceled."""
    done: int
    of: int


Listener = Callable[[Progress], None]
"""A callback for each text. An exception it raises while texts are read or changed cancels the
operation with nothing changed; while they are saved it raises none."""


def nobody(progress: Progress) -> None:
    """A listener that does nothing."""


def count_progress(
    items: Sequence[T], listener: Listener, phase: Literal["reading", "changing"] = "reading"
) -> Iterator[T]:
    """Yields the items; calls `listener` before each of them and once at the end."""
    for done, item in enumerate(items):
        listener(Progress(phase, done, len(items)))
        yield item
    if items:
        listener(Progress(phase, len(items), len(items)))
