"""What a writer supplies when she begins a book or resumes its beginning."""

from __future__ import annotations

from dataclasses import dataclass

from studio.story.checkpoint import BeginningStep, VolumeStep


@dataclass(frozen=True, slots=True)
class StartOrder:
    """One order; every part of it may be supplied later."""

    premise: str | None = None
    """What the book is, in the writer's words."""
    sample: str | None = None
    """A sample of the writer's own prose."""
    trials: int | None = None
    """The number of trial chapters, 0 to 3."""
    length: int | None = None
    """How long a chapter is, in the novel's unit."""
    step: BeginningStep | VolumeStep | None = None
    """A step, or what was proposed for a volume, that was left out and is to be asked again."""
