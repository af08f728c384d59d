"""How far a search, a replacement or an export is, for whoever waits for it and may not want to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Phase = Literal["reading", "changing", "saving"]


@dataclass(frozen=True, slots=True)
class Progress:
    """So many of so many texts are done."""

    phase: Phase
    """Only `saving` changes anything, and once it is begun it is finished."""
    done: int
    of: int


Listener = Callable[[Progress], None]
"""Hears of each text. What it raises while texts are read or changed ends the work with nothing
changed; while they are saved it raises nothing."""


def nobody(progress: Progress) -> None:
    """Nobody waits."""


class Count:
    """Says of each text that is read how many there are."""

    def __init__(self, listener: Listener, of: int) -> None:
        self._listener = listener
        self._of = of
        self._done = 0

    def one_more(self) -> None:
        """The next text is about to be read."""
        self._listener(Progress("reading", min(self._done, self._of), self._of))
        self._done += 1
