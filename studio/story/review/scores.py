"""How a score of the judge is written, everywhere alike; the app's first frame imports it."""

from __future__ import annotations

import math


def score_words(score: float) -> str:
    """Returns a score, 1 to 5, to a tenth and never rounded up, so that no chapter looks better
    than the band it is in: 3.85 and 3.8999 are 3.8, and 3.9999 is no 4.0."""
    return f"{math.floor(round(score * 10, 4)) / 10:.1f}"
