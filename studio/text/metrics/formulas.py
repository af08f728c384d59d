"""The formulas that turn the counted places of a metric into its value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import sqrt

from studio.text.language.packs import LanguagePack
from studio.text.metrics.prior_chapters import Earlier

FEWEST = 5
"""The minimum number of sentences or paragraphs for a verdict on a spread or a share."""


@dataclass(frozen=True, slots=True)
class Count:
    """The value of a metric and the size of its sample, before a threshold judges it."""

    value: float
    n: int
    enough: bool
    """Whether the sample is large enough for a verdict."""
    spans: Iterable[tuple[int, int]] = ()


def density(hits: int, units: int, pack: LanguagePack) -> Count:
    """Returns hits per 1000 units of narration; no verdict below the language's minimum of text."""
    value = hits * 1000 / units if units else 0.0
    return Count(value, units, units >= pack.minimum)


def share(part: int, whole: int, fewest: int = FEWEST) -> Count:
    """Returns the ratio of a part to a whole, with a verdict from `fewest` on."""
    return Count(part / whole if whole else 0.0, whole, whole >= fewest)


def spread(n: int, total: int, squares: int) -> Count:
    """Returns standard deviation over mean, from a sample's size, sum and sum of squares."""
    value = sqrt(n * squares - total * total) / total if total else 0.0
    return Count(value, n, n >= FEWEST)


def grown(length: int, before: int) -> Count:
    """Returns the growth in length over the previous version, relative to that version."""
    value = (length - before) / before if before else 0.0
    return Count(value, before, before > 0)


def sensed(fewest: int, windows: int, units: int, pack: LanguagePack) -> Count:
    """Returns the fewest distinct senses in any window of the narration."""
    return Count(float(fewest), windows, units >= pack.window)


def in_a_row(longest: int, narrated: int) -> Count:
    """Returns the longest run of sentences that are alike."""
    return Count(float(longest), narrated, True)


def dialogue(spoken: int, total: int, length: int, pack: LanguagePack) -> Count:
    """Returns the share of the characters that is speech."""
    return replace(share(spoken, total), enough=length >= pack.minimum)


def echoed(places: int, earlier: Earlier) -> Count:
    """Returns the number of places that repeat an earlier chapter word for word."""
    return Count(float(places), earlier.chapters, earlier.chapters > 0)
