"""How much of a passage's content a rewrite of each type has to keep, and may add: data that was
measured on good rewrites (PROSE 3)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from studio.text.content import content_of, share_of
from studio.text.language.packs import LanguagePack

FEWEST = 4
"""Pieces of content below which a share says nothing."""
REFINE = "refine"
_FILE = Path(__file__).parent / "content_bands.toml"


class Band(NamedTuple):
    """What the rewrites of one type may do to the content of a passage, and how it was found."""

    least: float
    """Share of the old content below which a rewrite is about something else."""
    new: float
    """Share of the new text's content beyond which it says what nobody asked for."""
    n: int
    """Good rewrites it was measured on."""
    lowest: float
    highest: float


@cache
def content_bands() -> dict[str, Band]:
    """Every band by the type of directive it is for, and `refine`."""
    with _FILE.open("rb") as file:
        data: dict[str, Any] = tomllib.load(file)
    return {
        kind: Band(row["kept"], row.get("new", 1.0), row["n"], row["lowest"], row["highest"])
        for kind, row in data.items()
    }


def band_faults(before: str, after: str, kind: str, pack: LanguagePack) -> list[str]:
    """Why a rewrite is not about its passage; empty when it is, or where both are too short."""
    band, faults = content_bands()[kind], []
    old, new = content_of(before, pack), content_of(after, pack)
    share = share_of(old.units, new)
    if len(old.units) >= FEWEST and share < band.least:
        faults.append(
            f"it keeps {share:.0%} of what the passage says, where {band.least:.0%} is the least"
        )
    added = 1 - share_of(new.units, old)
    if len(new.units) >= FEWEST and added > band.new:
        faults.append(
            f"{added:.0%} of what it says is not in the passage, where {band.new:.0%} is the most"
        )
    return faults
