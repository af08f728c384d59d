"""Runs: sentences of narration in a row that close, or open, alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from studio.text.reading import Reading
from studio.text.spans import Span


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive sentences of one class; spans count in the whole text."""

    shared: str
    """The ending or opening they have in common."""
    spans: tuple[Span, ...]


def same_closing_runs(reading: Reading) -> list[Run]:
    """All runs of sentences that end alike, single ones included.

    A spoken sentence in between, a sentence like no other and a scene break
    end a run; a new paragraph does not.
    """
    return _runs(reading, "closing")


def same_opening_runs(reading: Reading) -> list[Run]:
    """The same for the words sentences begin with."""
    return _runs(reading, "opening")


def _runs(reading: Reading, side: Literal["closing", "opening"]) -> list[Run]:
    runs: list[Run] = []
    current: list[tuple[int, Span]] = []
    word, scene = "", 0

    def close() -> None:
        if current:
            runs.append(Run(word, tuple(span.moved(start) for start, span in current)))
        current.clear()

    for paragraph, part in reading.parts:
        if paragraph.scene != scene:
            close()
            scene = paragraph.scene
        for sentence in part.sentences:
            found = sentence.closing if side == "closing" else sentence.opening
            if found != word:
                close()
                word = found
            if found:
                current.append((paragraph.start, sentence.span))
    close()
    return runs
