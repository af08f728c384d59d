"""What a writer gives along when she begins a book, or goes on beginning it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StartOrder:
    """One order; everything in it may be given later."""

    premise: str | None = None
    """What the book is, in her words."""
    sample: str | None = None
    """Her own prose."""
    trials: int | None = None
    """Trial chapters, 0 to 3."""
