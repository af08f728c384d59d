"""How well the program and a reader agree on the labelled prose: precision, recall, F1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from studio.text.language.packs import load_pack
from studio.text.prose.parse import Reading, read
from tests.text.labelled import Passage

Place = tuple[int, int]


@dataclass(frozen=True)
class Tally:
    """Counts over many passages, and each disagreement in words."""

    both: int
    """What the program and the reader mark."""
    program_only: int
    reader_only: int
    misses: tuple[str, ...]

    @property
    def precision(self) -> float:
        """How much of what the program marks the reader marks too."""
        return self.both / ((self.both + self.program_only) or 1)

    @property
    def recall(self) -> float:
        """How much of what the reader marks the program finds."""
        return self.both / ((self.both + self.reader_only) or 1)

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return 2 * self.both / ((2 * self.both + self.program_only + self.reader_only) or 1)


def found(passage: Passage, kind: str) -> tuple[Reading, list[Place]]:
    """What the program marks in a passage, as places in the reading's text."""
    reading = read("\n\n" + passage.text, load_pack(passage.language))
    if kind == "filter":
        return reading, reading.hits("filter")
    spans = [
        span.shift(paragraph.start)
        for paragraph, part in reading.parts
        for span in ([s.span for s in part.sentences] if kind == "sentences" else part.speech)
    ]
    return reading, [(span.start, span.end) for span in spans]


def labelled(passage: Passage, kind: str, text: str) -> list[Place]:
    """What the reader marked, as places in the same text; the labels stand in order."""
    if kind == "filter" and passage.filter_places:
        moved = text.index(passage.text)
        return [(start + moved, end + moved) for start, end in passage.filter_places]
    places, at = [], 0
    for words in getattr(passage, kind):
        start = text.index(words, at)
        at = start + len(words)
        places.append((start, at))
    return places


def tally(passages: Iterable[Passage], kind: str) -> Tally:
    """Both sides compared over passages.

    Spans of speech count when they are equal; sentences by where they end;
    filter words when the two marks share a character, each once.
    """
    sums: Counter[str] = Counter()
    misses: list[str] = []
    for passage in passages:
        reading, ours = found(passage, kind)
        theirs = labelled(passage, kind, reading.text)
        if kind == "sentences":
            ours, theirs = _ends(ours), _ends(theirs)
        pairs = _pairs(ours, theirs, touching=kind == "filter")
        sums.update(both=len(pairs), program=len(ours) - len(pairs))
        sums.update(reader=len(theirs) - len(pairs))
        mine, yours = {a for a, _ in pairs}, {b for _, b in pairs}
        for sign, places in (("+", set(ours) - mine), ("-", set(theirs) - yours)):
            misses += [
                f"{passage} {sign} {reading.text[max(0, a - 12) : b]!r}" for a, b in sorted(places)
            ]
    return Tally(sums["both"], sums["program"], sums["reader"], tuple(misses))


def _ends(places: Sequence[Place]) -> list[Place]:
    return [(end - 1, end) for _, end in places]


def _pairs(ours: list[Place], theirs: list[Place], *, touching: bool) -> list[tuple[Place, Place]]:
    pairs, left = [], list(theirs)
    for mine in ours:
        for yours in left:
            if mine == yours or (touching and mine[0] < yours[1] and yours[0] < mine[1]):
                pairs.append((mine, yours))
                left.remove(yours)
                break
    return pairs
