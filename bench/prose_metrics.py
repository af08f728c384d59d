"""All metrics of a chapter against the time that a writer does not notice (P8)."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from itertools import cycle

from bench.prose_texts import pack_of, prose
from bench.rounds import Row
from studio.i18n import LANGUAGES
from studio.text.metrics.measure import measure

LENGTH = 30_000
ENTRIES = 1500
AT_ONCE = 0.025
"""The most seconds that measuring may take."""
_TEXTS = 40
"""The number of texts: more than any cache of whole texts holds, so
that each is measured uncached."""


def rows() -> list[Row]:
    """Returns P8 in each language."""
    return [_at_once(language) for language in LANGUAGES]


def _measuring(language: str) -> Callable[[], object]:
    """Returns a function that measures a new text at each call."""
    pack = pack_of(language, ENTRIES)
    texts = cycle([prose(language, LENGTH, number) for number in range(_TEXTS)])
    measure(prose(language, LENGTH, -1), pack)  # builds everything that is built only once
    return lambda: measure(next(texts), pack)


def _at_once(language: str) -> Row:
    measuring, times = _measuring(language), []
    for _ in range(_TEXTS):
        begun = time.process_time()
        measuring()
        times.append(time.process_time() - begun)
    what = f"P8: all metrics, {ENTRIES} listed words, {LENGTH} characters of {language}"
    return Row(what, statistics.median(times), AT_ONCE, "25 ms", 1)
