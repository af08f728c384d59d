"""Phrases that models write far more often than people do, with the supporting counts (PROSE 4).

We compiled them from a comparison of frequencies; docs/prose.md names the texts. A language without
machine prose of documented origin has no list.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "worn_phrases.json"


@dataclass(frozen=True, slots=True)
class WornPhrase:
    """One phrase and its frequencies."""

    words: str
    texts: int
    """The number of machine texts that contain the phrase."""
    published: int
    """The number of occurrences in the published prose used for comparison."""
    ratio: float
    """The frequency in machine prose divided by that in published prose, per word; half an
    occurrence is added to the published ones to avoid division by zero."""


@cache
def worn_phrases(language: str) -> tuple[WornPhrase, ...]:
    """Returns the phrases of `ko`, `en` or `zh`, the most certain first."""
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(WornPhrase(**entry) for entry in data.get(language, {}).get("phrases", ()))
