"""What one call is about: what decides which entries and promises it is told of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Occasion:
    """What one call is about: what decides which entries of the bible it is told of."""

    scene: int | None = None
    """The scene that is written; None for work on the whole chapter."""
    present: tuple[str, ...] = ()
    """Slugs of those who are in it, the point of view first."""
    location: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    """The call's own blocks by name."""
    agent: str = ""
    """Who is asked: the writer may want a line in the prompts of one agent alone."""


WHOLE_CHAPTER = Occasion()
