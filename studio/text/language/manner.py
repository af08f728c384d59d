"""Words for the tone and the pace of a scene that mean the same: `tense` and `긴장`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("manner.toml")


@cache
def _families() -> Mapping[str, str]:
    """Maps every name of a tone or a pace, in lowercase, to its family."""
    with _FILE.open("rb") as file:
        data = tomllib.load(file)
    groups = {**data["tone"], **data["pacing"]}
    return {word.casefold(): name for name, words in groups.items() for word in words}


def same_manner(one: str, other: str) -> bool:
    """Whether two words for a tone or a pace mean the same."""
    first, second = one.strip().casefold(), other.strip().casefold()
    families = _families()
    return first == second or (first in families and families[first] == families.get(second))
