"""Phrases that come back: an echo within earshot is a slip, one that spans the chapter a motif.

An echo is heard where the phrase stood in the same paragraph or one of the two
before it. What opens its sentence both times is said twice on purpose, and so,
by all that code can see, is what returns from further away.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from studio.text.reading import Reading
from studio.text.repetition import Phrase, phrases, places
from studio.text.spans import Span

EARSHOT = 2
"""Paragraphs back in which a phrase is still in the reader's ear."""
_MOTIF = 3
"""Times that a phrase stands in a chapter before it is called a motif."""


@dataclass(frozen=True, slots=True)
class Returned:
    """Where a phrase stands again; the span counts in the whole text."""

    span: Span
    slip: bool
    """Whether a reader hears an echo nobody meant."""
    times: int
    """How often the phrase stands in the chapter."""


@dataclass(slots=True)
class _Stood:
    """Where a phrase stood last."""

    paragraph: int
    opens: bool


def returned(reading: Reading) -> list[Returned]:
    """Every place where a phrase stands for the second time and after, in order.

    Overlapping ones are one, as in `repeated_phrases`: what its first phrase is.
    """
    times: Counter[Phrase] = Counter()
    for _, part in reading.parts:
        times.update(phrases(part, reading.pack))
    last: dict[Phrase, _Stood] = {}
    found: list[Returned] = []
    for number, (paragraph, part) in enumerate(reading.parts):
        opening = {s.start for s in part.sentences}
        told = zip(phrases(part, reading.pack), places(part, reading.pack), strict=True)
        for phrase, span in told:
            opens = span.start in opening
            before = last.get(phrase)
            if before is not None:
                slip = number - before.paragraph <= EARSHOT and not (opens and before.opens)
                _add(found, Returned(span.moved(paragraph.start), slip, times[phrase]))
            last[phrase] = _Stood(number, opens)
    return found


def _add(found: list[Returned], new: Returned) -> None:
    if found and found[-1].span.end >= new.span.start:
        old = found.pop()
        end = max(old.span.end, new.span.end)
        new = Returned(Span(old.span.start, end), old.slip, max(old.times, new.times))
    found.append(new)


def slips(reading: Reading) -> list[Span]:
    """The returns that a reader hears as an echo nobody meant."""
    return [place.span for place in returned(reading) if place.slip]


def motifs(reading: Reading) -> list[str]:
    """Phrases that stand three times or more and never within earshot, as they first return."""
    heard = [p for p in returned(reading) if p.times >= _MOTIF]
    slip = {_words(reading, p.span) for p in heard if p.slip}
    kept: list[str] = []
    for place in heard:
        phrase = _words(reading, place.span)
        if phrase not in slip and not any(_shares(phrase, other) for other in kept):
            kept.append(phrase)
    return kept


def _shares(phrase: str, other: str) -> bool:
    """Whether two are cuts of one phrase: they have two words or more in common."""
    return phrase == other or len(set(phrase.split()) & set(other.split())) > 1


def _words(reading: Reading, span: Span) -> str:
    return " ".join(span.of(reading.text).split())
