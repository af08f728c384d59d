"""Windows of narration and the senses they touch (seed A16)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from studio.story.chapter import Paragraph
from studio.text.language.packs import SENSES, LanguagePack
from studio.text.prose.parse import ParagraphReading, Reading, nth_unit, unit_starts, units_in
from studio.text.spans import Span, intersect

_FEW = 4
"""The count up to which searching for each number separately is faster."""


@dataclass(frozen=True, slots=True)
class SenseWindow:
    """A stretch of narration; offsets are those of the whole text."""

    start: int
    end: int
    senses: frozenset[str]


@lru_cache(maxsize=16)
def sense_windows(reading: Reading) -> tuple[SenseWindow, ...]:
    """Returns consecutive windows over the narration of the whole text; two metrics need them.

    A text shorter than one window is one window; without narration there is none.
    """
    starts = _window_starts(reading)
    if not starts:
        return ()
    end = max(p.start + span.end for p, part in reading.prose for span in part.narration)
    senses_of: list[set[str]] = [set() for _ in starts]
    for sense in SENSES:
        for start, _ in reading.hits(f"sense:{sense}"):
            senses_of[max(0, bisect_right(starts, start) - 1)].add(sense)
    ends = [_trim(reading.text, start) for start in starts[1:]] + [end]
    return tuple(
        SenseWindow(start, end, frozenset(senses))
        for start, end, senses in zip(starts, ends, senses_of, strict=True)
    )


def _window_starts(reading: Reading) -> list[int]:
    """Returns where each full window begins."""
    size, total = reading.pack.window, reading.units
    window_units = iter(range(0, max(1, total // size) * size, size)) if total else iter(())
    due = next(window_units, -1)
    starts: list[int] = []
    units_before = 0
    for paragraph, part in reading.prose:
        here: list[int] = []
        while units_before <= due < units_before + part.units:
            here.append(due - units_before)
            due = next(window_units, -1)
        if here:
            places = places_of_units(part, here, reading.pack)
            starts += [paragraph.start + place for place in places]
        units_before += part.units
    return starts


def places_of_units(
    part: ParagraphReading, numbers: Sequence[int], pack: LanguagePack
) -> list[int]:
    """Returns where these units of the paragraph's narration begin, numbered from 0, ascending.

    Several are found in one pass, so the time for one huge paragraph is proportional to its length.
    """
    if len(numbers) < _FEW:
        return [place_of_unit(part, number, pack) for number in numbers]
    starts = chain.from_iterable(unit_starts(part.text, span, pack) for span in part.narration)
    steps = (after - before for before, after in zip((-1, *numbers), numbers, strict=False))
    return [next(islice(starts, step - 1, None)) for step in steps]


def place_of_unit(part: ParagraphReading, number: int, pack: LanguagePack) -> int:
    """Returns where the unit with that number, from 0, of the paragraph's narration begins."""
    for span in part.narration:
        here = part.units if len(part.narration) == 1 else units_in(span.of(part.text), pack)
        if number < here:
            return nth_unit(part.text, span, number, pack)
        number -= here
    raise IndexError(number)


def _trim(text: str, end: int) -> int:
    while text[end - 1].isspace():
        end -= 1
    return end


def fullest_paragraph(window: SenseWindow, reading: Reading) -> tuple[Paragraph, ParagraphReading]:
    """Returns the paragraph with the most narration, of those at least partly inside the window."""
    first = max(0, bisect_right(reading.prose, window.start, key=lambda part: part[0].start) - 1)
    there = []
    for paragraph, part in reading.prose[first:]:
        if paragraph.start >= window.end:
            break
        reach = [Span(window.start - paragraph.start, window.end - paragraph.start)]
        if intersect(part.narration, reach):
            there.append((paragraph, part))
    return max(there, key=lambda pair: pair[1].units)
