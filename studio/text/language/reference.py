"""What published prose of a language measures: sorted values of each metric, never a text.

`python -m bench reference DIR` generates the data from works that anybody may copy; the works are
listed with the values. docs/prose.md says how they were chosen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "reference"
FEWEST_AUTHORS = 10
"""A figure that rests on fewer authors says nothing about a language."""


@dataclass(frozen=True, slots=True)
class Work:
    """A published work from which passages were measured."""

    title: str
    author: str
    year: int | None
    """The year of first publication."""
    source: str
    """Where the text is available."""
    windows: int
    """The number of passages measured."""


@dataclass(frozen=True, eq=False)
class Reference:
    """The measurements of published prose in one language."""

    window: int
    """The length of a measured passage, in the language's units."""
    works: tuple[Work, ...]
    values: Mapping[str, tuple[float, ...]]
    """The values by metric, in ascending order, one per passage that allowed a measurement."""

    @property
    def suffices(self) -> bool:
        """Whether enough authors were measured for anything to be compared with them."""
        return len({work.author for work in self.works}) >= FEWEST_AUTHORS

    @property
    def years(self) -> tuple[int, int]:
        """The first year of the decade of the oldest work, and the year of the newest; (0, 0) for a
        reference without works."""
        years = [work.year for work in self.works if work.year is not None]
        return (min(years) // 10 * 10, max(years)) if years else (0, 0)


@cache
def load_reference(language: str) -> Reference:
    """Returns the reference of `ko`, `en` or `zh`; an empty one for a language that has none."""
    try:
        data = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Reference(1, (), {})
    return Reference(
        data["window"],
        tuple(Work(**work) for work in data["works"]),
        {name: tuple(values) for name, values in data["values"].items()},
    )
