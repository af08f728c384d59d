"""Finds words in the book by scanning its files as they are, without an index."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from re import Pattern
from typing import NamedTuple

from studio.project.progress import Listener, nobody
from studio.project.search.book_texts import AREAS, IDS, Area, BookText, book_texts
from studio.project.search.pattern import spans_in
from studio.project.store import ProjectStore
from studio.story.notes import front_matter_end, note_spans

_AROUND = 48
"""The number of characters shown before and after a hit."""
_Look = Callable[[BookText], Iterator["Hit"]]
Spans = Callable[[BookText], list[tuple[int, int]]]
"""Finds words in a text: start and end of each."""


class Hit(NamedTuple):
    """One occurrence of the words."""

    at: BookText
    start: int
    """The position in characters from the beginning of the text."""
    end: int
    note: bool = False
    """Whether the hit is in a note to people."""

    @property
    def scene(self) -> int | None:
        """The scene in prose; None in a title, or in a note between two paragraphs."""
        paragraph = self.at.paragraph_at(self.start)
        return paragraph.scene if paragraph else None

    @property
    def paragraph(self) -> int | None:
        """The number of the paragraph in its scene of prose; None as for `scene`."""
        paragraph = self.at.paragraph_at(self.start)
        return paragraph.number if paragraph else None

    @property
    def words(self) -> str:
        """The matching words themselves."""
        return self.at.text[self.start : self.end]

    @property
    def before(self) -> str:
        """The text before the hit in its paragraph, cut at a word boundary."""
        begin = max(0, self.start - _AROUND)
        words = self.at.text[begin : self.start].rpartition("\n\n")[2]
        if len(words) == _AROUND and begin:
            words = "…" + (words.partition(" ")[2] or words)
        return _one_line(words)

    @property
    def after(self) -> str:
        """The text after the hit in its paragraph, cut at a word boundary."""
        text = self.at.text
        words = text[self.end : self.end + _AROUND].partition("\n\n")[0]
        if len(words) == _AROUND and self.end + _AROUND < len(text):
            words = (words.rpartition(" ")[0] or words) + "…"
        return _one_line(words)

    def particle(self, new: str) -> tuple[str, str] | None:
        """Returns the Korean particle after the hit and its form after `new`, if these differ."""
        from studio.particles import particle_after  # not needed for a search

        return particle_after(new, self.at.text, self.end)

    @property
    def line(self) -> int:
        """The line number of the hit's beginning, from 1, in a Markdown file or in a JSON field."""
        return self.at.line_at(self.start)


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of a search, in the order of the book."""

    hits: tuple[Hit, ...]
    unreadable: tuple[str, ...] = ()
    """A sentence about each file that could not be searched."""
    chapters: dict[int, int] = field(default_factory=dict)
    """The number of hits in each chapter, in prose and plan together."""
    wider: int = 0
    """The number of matches of the wider pattern, if one was counted along the way."""

    def without(self, is_out: Callable[[Hit], bool]) -> Findings:
        """Returns the findings without the hits for which `is_out` is true."""
        hits = tuple(hit for hit in self.hits if not is_out(hit))
        return replace(self, hits=hits, chapters=_by_chapter(hits))


def find(
    store: ProjectStore,
    pattern: Pattern[str] | Spans,
    areas: Sequence[Area] = AREAS,
    listener: Listener = nobody,
    wider: Pattern[str] | None = None,
) -> Findings:
    """Returns every match of `pattern`, or of a function that finds words, in these areas; matches
    of `wider` are counted as well. An exception from `listener` cancels the search."""
    places_of_wider: list[int] = []

    def look(text: BookText) -> Iterator[Hit]:
        if wider is not None:
            places_of_wider.append(sum(1 for _ in in_a_text(text, wider)))
        return in_a_text(text, pattern)

    return replace(_collected(store, areas, look, listener), wider=sum(places_of_wider))


def notes(
    store: ProjectStore,
    areas: Sequence[Area] = AREAS,
    pattern: Pattern[str] | None = None,
    listener: Listener = nobody,
) -> Findings:
    """Returns every note to people (`<!-- -->`, `%% %%`) in the book, or those that match the
    pattern. An exception from `listener` cancels the search."""
    return _collected(store, areas, lambda text: _notes(text, pattern), listener)


def _collected(
    store: ProjectStore, areas: Sequence[Area], look: _Look, listener: Listener
) -> Findings:
    unreadable: list[str] = []
    texts = book_texts(store, areas, unreadable, listener)
    hits = tuple(chain.from_iterable(look(text) for text in texts))
    return Findings(hits, tuple(unreadable), _by_chapter(hits))


def _by_chapter(hits: Sequence[Hit]) -> dict[int, int]:
    counts = Counter(hit.at.chapter for hit in hits if hit.at.chapter is not None)
    return dict(sorted(counts.items()))


def in_a_text(text: BookText, pattern: Pattern[str] | Spans) -> Iterator[Hit]:
    """Yields every match of the pattern in one text, ids left out."""
    spans = pattern(text) if callable(pattern) else spans_in(text.text, pattern)
    ids = id_spans(text.text) if spans and not text.field else ()
    if ids:
        spans = [(a, b) for a, b in spans if not holds(ids, a)]
    return _placed(text, spans) if spans else iter(())


def _notes(text: BookText, pattern: Pattern[str] | None) -> Iterator[Hit]:
    spans = [] if text.field else [(note.start, note.end) for note in note_spans(text.text)]
    if pattern is not None:
        spans = [(a, b) for a, b in spans if pattern.search(text.text, a, b)]
    return _placed(text, spans) if spans else iter(())


def _placed(text: BookText, spans: Sequence[tuple[int, int]]) -> Iterator[Hit]:
    own_notes = () if text.field else note_spans(text.text)
    for start, end in spans:
        yield Hit(text, start, end, bool(own_notes) and holds(own_notes, start))


def holds(spans: Sequence[tuple[int, int]], at: int) -> bool:
    """Whether one of these sorted, disjoint spans contains the character at `at`."""
    index = bisect_right(spans, (at, sys.maxsize)) - 1
    return index >= 0 and at < spans[index][1]


def id_spans(text: str) -> list[tuple[int, int]]:
    """Returns the spans (start, end) of front matter lines that hold ids rather than words."""
    end, spans, is_id, at = front_matter_end(text), [], False, 0
    for line in text[:end].splitlines(keepends=True):
        key, colon, _ = line.partition(":")
        if colon and key.strip() == key.rstrip() and not key.startswith(("-", "#")):
            is_id = key.strip() in IDS
        if is_id:
            spans.append((at, at + len(line)))
        at += len(line)
    return spans


def _one_line(text: str) -> str:
    head = " " if text[:1].isspace() else ""
    tail = " " if text[-1:].isspace() and text.strip() else ""
    return f"{head}{' '.join(text.split())}{tail}" if text.strip() else head
