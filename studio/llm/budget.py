"""What may be spent, and whether the next call may start (N7, M12).

A reserve without its settle counts in full: the process may have died in
between. A cap stops; it never chooses a cheaper model.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.llm.errors import BudgetError, Cap
from studio.story.calls import Counted

CENT_DUST = 1e-9
"""Sums of binary fractions may pass a cap by this much."""


@dataclass(frozen=True, slots=True)
class Caps:
    """US dollars that may be spent; None is no cap, 0 allows only what is free."""

    chapter_usd: float | None = None
    day_usd: float | None = None
    """For this novel."""
    project_usd: float | None = None
    all_novels_usd: float | None = None
    """A day, over all novels: the writer's own cap."""
    of_the_writer: frozenset[Cap] = frozenset()
    """Caps of this novel that stand in the writer's own settings."""

    @property
    def any(self) -> bool:
        """Whether there is a cap at all."""
        caps = (self.chapter_usd, self.day_usd, self.project_usd, self.all_novels_usd)
        return any(cap is not None for cap in caps)

    def check(self, counted: Counted, worst: float) -> None:
        """Raises BudgetError when a call that may cost `worst` would pass a cap."""
        figures: tuple[tuple[Cap, float | None, float], ...] = (
            ("all novels", self.all_novels_usd, counted.all_novels),
            ("chapter", self.chapter_usd, counted.chapter),
            ("day", self.day_usd, counted.day),
            ("project", self.project_usd, counted.novel),
        )
        for cap, limit, spent in figures:
            if limit is not None and spent + worst > limit + CENT_DUST:
                own = cap == "all novels" or cap in self.of_the_writer
                raise BudgetError(cap, limit, spent, worst, perhaps=counted.perhaps, own=own)
