"""Runs: consecutive sentences of narration that close, or open, alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from studio.text.metrics.habits import subject_of
from studio.text.prose.parse import Reading
from studio.text.spans import Span

SentenceSide = Literal["closing", "opening", "subject"]


@dataclass(frozen=True, slots=True)
class SentenceRun:
    """Consecutive sentences of one class; spans have offsets in the whole text."""

    shared: str
    """The ending or opening they have in common."""
    spans: tuple[Span, ...]


def longest_run(reading: Reading, side: SentenceSide) -> int:
    """Returns the most sentences in a row that are alike on that side; 0 if no two are alike.

    A spoken sentence, a sentence without a class and a scene break end a run; a new paragraph does
    not.
    """
    sentence_classes = _classes(reading, side)
    if not any(sentence_classes):
        return 0
    alike = bytes([word == following != "" for word, following in pairwise(sentence_classes)])
    return 1 + max(map(len, alike.split(b"\0")))


def runs(reading: Reading, side: SentenceSide, at_least: float) -> list[SentenceRun]:
    """Returns the runs of at least that length, in order."""
    long_runs: list[SentenceRun] = []
    places: list[Span] | None = None
    for word, first, length in _stretches(_classes(reading, side)):
        if length >= at_least:
            places = _places(reading) if places is None else places
            long_runs.append(SentenceRun(word, tuple(places[first : first + length])))
    return long_runs


def _classes(reading: Reading, side: SentenceSide) -> list[str]:
    """Returns the class of each of the reading's sentences; empty for one that matches no other."""
    if side == "closing":
        return [s.closing for s in reading.sentences]
    if side == "opening":
        return [s.opening for s in reading.sentences]
    return [s.opening and subject_of(s.opening, reading.pack) for s in reading.sentences]


def _places(reading: Reading) -> list[Span]:
    """Returns the place of each of the reading's sentences."""
    sentence_places: list[Span] = []
    scene = 1
    for paragraph, part in reading.prose:
        if paragraph.scene != scene:
            scene = paragraph.scene
            sentence_places.append(Span(0, 0))
        sentence_places += [
            Span(paragraph.start + s.start, paragraph.start + s.end) for s in part.sentences
        ]
    return sentence_places


def _stretches(classes: list[str]) -> Iterator[tuple[str, int, int]]:
    """Yields class, first index and length of equal neighbours, skipping those without a class."""
    at = 0
    for word, group in groupby(classes):
        length = sum(1 for _ in group)
        if word:
            yield word, at, length
        at += length
