"""From counts to numbers: what a metric says once its places are counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import sqrt

from studio.text.language.packs import LanguagePack
from studio.text.metrics.prior_chapters import Earlier

FEWEST = 5
"""Sentences or paragraphs below which a spread or a share gives no verdict."""


@dataclass(frozen=True, slots=True)
class Count:
    """The number of a metric with the size of its sample, before a threshold judges it."""

    value: float
    n: int
    enough: bool
    """Whether the sample is large enough for a verdict."""
    spans: Iterable[tuple[int, int]] = ()


def density(hits: int, units: int, pack: LanguagePack) -> Count:
    """Hits in 1000 units of narration; no verdict below the language's minimum of text."""
    value = hits * 1000 / units if units else 0.0
    return Count(value, units, units >= pack.minimum)


def share(part: int, whole: int, fewest: int = FEWEST) -> Count:
    """A part of a whole that gives a verdict from `fewest` on."""
    return Count(part / whole if whole else 0.0, whole, whole >= fewest)


def spread(n: int, total: int, squares: int) -> Count:
    """Standard deviation over mean, from a sample's size, its sum and its sum of squares."""
    value = sqrt(n * squares - total * total) / total if total else 0.0
    return Count(value, n, n >= FEWEST)


def grown(length: int, before: int) -> Count:
    """How much longer a text is than the version it was made from, as a part of that."""
    value = (length - before) / before if before else 0.0
    return Count(value, before, before > 0)


def sensed(fewest: int, windows: int, units: int, pack: LanguagePack) -> Count:
    """The fewest distinct senses that any window of the narration touches."""
    return Count(float(fewest), windows, units >= pack.window)


def in_a_row(longest: int, narrated: int) -> Count:
    """The longest run of sentences that are alike."""
    return Count(float(longest), narrated, True)


def dialogue(spoken: int, total: int, length: int, pack: LanguagePack) -> Count:
    """The share of the characters that is speech."""
    return replace(share(spoken, total), enough=length >= pack.minimum)


def echoed(places: int, earlier: Earlier) -> Count:
    """How many places are word for word in one of the earlier chapters."""
    return Count(float(places), earlier.chapters, earlier.chapters > 0)
