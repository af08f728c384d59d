"""All metrics against the duration of a frame, and against proselint on
the same English text (P8)."""

from __future__ import annotations

import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from itertools import cycle

from bench.prose_texts import pack_of, prose
from bench.rounds import Row, compare
from studio.i18n import LANGUAGES
from studio.text.metrics.metrics import measure

LENGTH = 30_000
ENTRIES = 1500
FRAME = 0.016
"""The duration of a frame in seconds."""
_TEXTS = 40
"""The number of texts: more than any cache of whole texts holds, so
that each is measured uncached."""


def rows() -> list[Row]:
    """Returns P8 in each language, and against proselint if it is installed."""
    figures = [_within_a_frame(language) for language in LANGUAGES]
    if importlib.util.find_spec("proselint") is None:
        print("proselint is not installed; `dev.py bench` installs it.", file=sys.stderr)
        return figures
    return [*figures, _against_proselint()]


def _measuring(language: str, first: int = 0) -> Callable[[], object]:
    """Returns a function that measures a new text at each call, beginning with number `first`."""
    pack = pack_of(language, ENTRIES)
    texts = cycle([prose(language, LENGTH, first + number) for number in range(_TEXTS)])
    measure(prose(language, LENGTH, -1), pack)  # builds everything that is built only once
    return lambda: measure(next(texts), pack)


def _within_a_frame(language: str) -> Row:
    measuring, times = _measuring(language), []
    for _ in range(_TEXTS):
        begun = time.process_time()
        measuring()
        times.append(time.process_time() - begun)
    what = f"P8: all metrics, {ENTRIES} listed words, {LENGTH} characters of {language}"
    return Row(what, statistics.median(times), FRAME, "a frame, 16 ms", 1)


def _against_proselint() -> Row:
    from proselint.checks import __register__
    from proselint.registry import CheckRegistry
    from proselint.tools import LintFile

    CheckRegistry().register_many(__register__)
    texts = cycle([prose("en", LENGTH, seed) for seed in range(_TEXTS)])
    return compare(
        f"P8: all metrics, {ENTRIES} listed words, {LENGTH} characters of en",
        _measuring("en", _TEXTS),
        f"proselint, {len(CheckRegistry().checks)} checks",
        lambda: LintFile("text", next(texts)).lint(),
        goal=1 / 10,
        rounds=5,
        clock=time.process_time,
    )
