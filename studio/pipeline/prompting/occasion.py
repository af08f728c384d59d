"""What one call is about, which decides the entries and promises in its prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Occasion:
    """The subject of one call, which decides the entries of the bible in its prompt."""

    scene: int | None = None
    """The scene that is written; None for work on the whole chapter."""
    present: tuple[str, ...] = ()
    """Slugs of the people in the scene, the point of view first."""
    location: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    """The call's own blocks by name."""
    on_the_surface: bool = False
    """Whether the answer only builds a sentence otherwise: of people it needs to know who they are,
    and of the world nothing."""
    whole: frozenset[int] = frozenset()
    """The chapters whose whole text is in the prompt: it needs no summary of them."""
    agent: str = ""
    """The agent that is called: the writer may want a line in the prompts of one agent alone."""


WHOLE_CHAPTER = Occasion()
