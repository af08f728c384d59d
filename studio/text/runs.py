"""Runs: sentences of narration in a row that close, or open, alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from studio.text.reading import Reading, Sentence
from studio.text.spans import Span


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive sentences of one class; spans count in the whole text."""

    shared: str
    """The ending or opening they have in common."""
    spans: tuple[Span, ...]


def same_closing_runs(reading: Reading) -> list[Run]:
    """All runs of endings, single sentences included.

    A spoken sentence in between, a sentence like no other and a scene break
    end a run; a new paragraph does not.
    """
    return _runs(reading, lambda sentence: sentence.closing)


def same_opening_runs(reading: Reading) -> list[Run]:
    """The same for the words sentences begin with."""
    return _runs(reading, lambda sentence: sentence.opening)


def _runs(reading: Reading, shared: Callable[[Sentence], str]) -> list[Run]:
    runs: list[Run] = []
    current: list[Span] = []
    word, scene = "", 0
    for paragraph, part in reading.parts:
        for sentence in part.sentences:
            found = shared(sentence) if sentence.narrated else ""
            if current and (found != word or paragraph.scene != scene):
                runs.append(Run(word, tuple(current)))
                current = []
            if found:
                current.append(sentence.span.moved(paragraph.start))
            word, scene = found, paragraph.scene
    if current:
        runs.append(Run(word, tuple(current)))
    return runs
