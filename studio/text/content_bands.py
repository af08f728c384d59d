"""How much of a passage's content a rewrite of each type must keep and may add; the data was
measured on good rewrites (PROSE 3)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from studio.messages import said
from studio.text.content import content_of, share_of
from studio.text.language.packs import LanguagePack
from studio.text.prose.segmentation import sentences

FULL_SIZE = {"en": 25, "ko": 50, "zh": 50}
"""The words (en) or characters from which a passage of the types that invent has to keep its share
(WRITING 5.7): below, one word of feeling made a gesture is another passage. Of several short
sentences half of it, so that a passage about something else is seen."""
_INVENTING = frozenset(
    {
        "show-not-tell",
        "dialogue-subtext",
        "cliche-replacement",
        "specificity",
        "voice-consistency",
    }
)
_LEAST = 0.15
FEWEST = 4
"""The minimum number of content units below which a share is meaningless."""
REFINE = "refine"
_FILE = Path(__file__).parent / "content_bands.toml"


class Band(NamedTuple):
    """The limits for the content of one type's rewrites, and the sample they were measured on."""

    least: float
    """The share of the old content below which a rewrite is about something else."""
    new: float
    """The share of new content above which the rewrite adds what nobody asked for."""
    n: int
    """The number of good rewrites measured."""
    lowest: float
    highest: float


@cache
def content_bands() -> dict[str, Band]:
    """Returns every band by its type of directive, and that of `refine`."""
    with _FILE.open("rb") as file:
        data: dict[str, Any] = tomllib.load(file)
    return {
        kind: Band(row["kept"], row.get("new", 1.0), row["n"], row["lowest"], row["highest"])
        for kind, row in data.items()
    }


def is_short(text: str, pack: LanguagePack) -> bool:
    """Whether a passage is too short for shares to say what became of it."""
    size = len(text.split()) if pack.language == "en" else sum(not c.isspace() for c in text)
    return size < FULL_SIZE[pack.language]


def band_faults(before: str, after: str, kind: str, pack: LanguagePack) -> list[str]:
    """Returns why a rewrite does not match its passage; empty if it does or both are too short."""
    band = content_bands()[kind]
    if kind in _INVENTING and is_short(before, pack):
        if len(sentences(before, pack)) == 1:
            return []
        band = band._replace(least=max(band.least / 2, _LEAST))
    faults: list[str] = []
    old, new = content_of(before, pack), content_of(after, pack)
    share = share_of(old.units, new)
    if len(old.units) >= FEWEST and share < band.least:
        faults.append(
            said(
                "it keeps {share} of what the passage says, where {least} is the least",
                share=f"{share:.0%}",
                least=f"{band.least:.0%}",
            )
        )
    added = 1 - share_of(new.units, old)
    if len(new.units) >= FEWEST and added > band.new:
        faults.append(
            said(
                "{share} of what it says is not in the passage, where {most} is the most",
                share=f"{added:.0%}",
                most=f"{band.new:.0%}",
            )
        )
    return faults
