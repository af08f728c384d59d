"""All metrics beside a bare scan, and beside proselint on the same English text (P8)."""

from __future__ import annotations

import importlib.util
import re
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
ROUNDS = 15
_TEXTS = 40
"""More texts than any cache of a whole text holds: each is measured as if it were new."""
_STOPS = re.compile("[.!?。]")


def rows() -> list[Row]:
    """P8 in each language, and against proselint if it is installed."""
    figures = [_against_scan(language) for language in LANGUAGES]
    if importlib.util.find_spec("proselint") is None:
        print("proselint is not installed; `dev.py bench` installs it.", file=sys.stderr)
        return figures
    return [*figures, _against_proselint()]


def _measuring(language: str, first: int = 0) -> Callable[[], object]:
    """Measures a text that was not measured before, each time another, from that one on."""
    pack = pack_of(language, ENTRIES)
    texts = cycle([prose(language, LENGTH, first + number) for number in range(_TEXTS)])
    measure(prose(language, LENGTH, -1), pack)  # builds what is built once
    return lambda: measure(next(texts), pack)


def _against_scan(language: str) -> Row:
    texts = cycle([prose(language, LENGTH, seed) for seed in range(_TEXTS)])
    return compare(
        f"P8: all metrics, {ENTRIES} listed words, {LENGTH} characters of {language}",
        _measuring(language),
        "re.findall('[.!?。]')",
        lambda: _STOPS.findall(next(texts)),
        goal=12,
        rounds=ROUNDS,
        clock=time.process_time,
        repeats=(1, 20),
    )


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
