"""Windows of narration and the senses they touch (seed A16)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from studio.story.chapter import Paragraph
from studio.text.language import SENSES, LanguagePack
from studio.text.reading import ParagraphReading, Reading, nth_unit, units_in
from studio.text.spans import Span, shared


@dataclass(frozen=True, slots=True)
class SenseWindow:
    """A stretch of narration; offsets count in the whole text."""

    start: int
    end: int
    senses: frozenset[str]


def sense_windows(reading: Reading) -> list[SenseWindow]:
    """Consecutive windows over the narration of the whole text.

    A text shorter than one window is one window; no narration, none.
    """
    starts = _window_starts(reading)
    if not starts:
        return []
    end = max(p.start + span.end for p, part in reading.parts for span in part.narration)
    found: list[set[str]] = [set() for _ in starts]
    for sense in SENSES:
        for start, _ in reading.hits(f"sense:{sense}"):
            found[max(0, bisect_right(starts, start) - 1)].add(sense)
    ends = [_trimmed(reading.text, start) for start in starts[1:]] + [end]
    return [
        SenseWindow(start, end, frozenset(senses))
        for start, end, senses in zip(starts, ends, found, strict=True)
    ]


def _window_starts(reading: Reading) -> list[int]:
    """Where each full window begins."""
    size, total = reading.pack.window, reading.units
    wanted = iter(range(0, max(1, total // size) * size, size)) if total else iter(())
    due = next(wanted, -1)
    starts: list[int] = []
    passed = 0
    for paragraph, part in reading.parts:
        units = part.units
        while passed <= due < passed + units:
            starts.append(paragraph.start + place_of_unit(part, due - passed, reading.pack))
            due = next(wanted, -1)
        passed += units
    return starts


def place_of_unit(part: ParagraphReading, number: int, pack: LanguagePack) -> int:
    """Where the paragraph's unit of narration of that number, from 0, begins."""
    for span in part.narration:
        here = part.units if len(part.narration) == 1 else units_in(span.of(part.text), pack)
        if number < here:
            return nth_unit(part.text, span, number, pack)
        number -= here
    raise IndexError(number)


def _trimmed(text: str, end: int) -> int:
    while text[end - 1].isspace():
        end -= 1
    return end


def fullest_paragraph(window: SenseWindow, reading: Reading) -> tuple[Paragraph, ParagraphReading]:
    """Of the paragraphs whose narration the window holds in part, the one with the most."""
    first = max(0, bisect_right(reading.parts, window.start, key=lambda part: part[0].start) - 1)
    there = []
    for paragraph, part in reading.parts[first:]:
        if paragraph.start >= window.end:
            break
        reach = [Span(window.start - paragraph.start, window.end - paragraph.start)]
        if shared(part.narration, reach):
            there.append((paragraph, part))
    return max(there, key=lambda pair: pair[1].units)
