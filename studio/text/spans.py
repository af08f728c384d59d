"""Spans: half-open ranges of a text, and operations on them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_BEYOND = 1 << 62


class Span(NamedTuple):
    """A stretch of a text, `text[start:end]`; offsets count characters."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Returns the stretch itself, cut out of its text."""
        return text[self.start : self.end]

    def shift(self, by: int) -> Span:
        """Returns the same span in a text that begins `by` characters earlier."""
        return Span(self.start + by, self.end + by)


def gaps(spans: Iterable[Span], length: int) -> list[Span]:
    """Returns the gaps between ordered, disjoint spans of a text of that length."""
    between, reached = [], 0
    for span in spans:
        if span.start > reached:
            between.append(Span(reached, span.start))
        reached = span.end
    if reached < length:
        between.append(Span(reached, length))
    return between


def inside(place: int, spans: Sequence[Span]) -> bool:
    """Whether one of the ordered, disjoint spans contains the character at `place`."""
    before = bisect_right(spans, (place, _BEYOND)) - 1
    return before >= 0 and place < spans[before].end


def intersect(one: Sequence[Span], other: Sequence[Span]) -> list[Span]:
    """Returns the intersection of two lists of ordered, disjoint spans."""
    common: list[Span] = []
    if not one or not other:
        return common
    a = max(0, bisect_right(one, (other[0].start, _BEYOND)) - 1)
    b = max(0, bisect_right(other, (one[0].start, _BEYOND)) - 1)
    while a < len(one) and b < len(other):
        start, end = max(one[a].start, other[b].start), min(one[a].end, other[b].end)
        if start < end:
            common.append(Span(start, end))
        if one[a].end <= other[b].end:
            a += 1
        else:
            b += 1
    return common


def merge(spans: Iterable[Span]) -> list[Span]:
    """Returns the spans in order, with those that overlap or touch merged."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined
