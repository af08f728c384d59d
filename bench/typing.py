"""The time from a key press to the metrics of the resulting text, in a
chapter of 30,000 characters (P9)."""

from __future__ import annotations

import random
import sys

from bench.conversation import talking
from bench.rounds import Row
from bench.typing_screen import READY
from studio.i18n import LANGUAGES

KEYS = 200
SHORTEST, LONGEST = 0.08, 0.25
"""The range of seconds between the metrics for one key and the next key, as for a fast typist."""
GOAL = 0.05
"""The number of seconds within which 95 of 100 keys must have their metrics."""


def rows() -> list[Row]:
    """Returns P9 in each language."""
    return [
        Row(f"P9 {language}: key to new numbers, p95, in 30k", _p95(language), GOAL, "50 ms", 1.0)
        for language in LANGUAGES
    ]


def _p95(language: str) -> float:
    delays = []
    chance = random.Random(language)
    with talking([sys.executable, "-m", "bench.typing_screen", language]) as app:
        app.until(READY, seconds=40)
        for number in range(1, KEYS + 1):
            app.rest(chance.uniform(SHORTEST, LONGEST))
            begun = app.type("x")
            delays.append(app.until(f"<{number}>") - begun)
    return sorted(delays)[int(KEYS * 0.95)]
