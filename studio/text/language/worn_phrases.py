"""Phrases that models write far more often than people do, with the counts that say so (PROSE 4).

They were compiled by us from a comparison of frequencies; docs/prose.md says of what texts. A
language without machine prose whose makers say what it is has none.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "worn_phrases.json"


@dataclass(frozen=True, slots=True)
class WornPhrase:
    """One phrase and where it stands."""

    words: str
    texts: int
    """Texts of machines that have it."""
    published: int
    """Times it stands in the published prose it was compared with."""
    ratio: float
    """How many times more often machines have it, word for word of prose; half a find is added
    to the published ones, so that none divides by nothing."""


@cache
def worn_phrases(language: str) -> tuple[WornPhrase, ...]:
    """The phrases of `ko`, `en` or `zh`, the surest first."""
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(WornPhrase(**entry) for entry in data.get(language, {}).get("phrases", ()))
