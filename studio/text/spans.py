"""Spans: half-open ranges of a text, and the sums one does with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """`text[start:end]`."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words it spans."""
        return text[self.start : self.end]

    def moved(self, by: int) -> Span:
        """The same span in a text that begins `by` characters earlier."""
        return Span(self.start + by, self.end + by)


def gaps(spans: Iterable[Span], length: int) -> list[Span]:
    """What lies between ordered, disjoint spans of a text of that length."""
    found, reached = [], 0
    for span in spans:
        if span.start > reached:
            found.append(Span(reached, span.start))
        reached = span.end
    if reached < length:
        found.append(Span(reached, length))
    return found


def inside(place: int, spans: Sequence[Span]) -> bool:
    """Whether one of the spans holds the character at `place`."""
    return any(span.start <= place < span.end for span in spans)


def merged(spans: Iterable[Span]) -> list[Span]:
    """Overlapping or touching spans made one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined
