"""What has been spent, and whether the next call may start (N7, M12).

A reserve without its settle counts in full: the process may have died in
between. A cap stops; it never chooses a cheaper model.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from studio.llm.errors import BudgetError, Cap
from studio.story.calls import UsageEntry

CENT_DUST = 1e-9
"""Sums of binary fractions may pass a cap by this much."""


@dataclass(frozen=True, slots=True)
class Caps:
    """US dollars that may be spent; None is no cap, 0 allows only what is free."""

    chapter_usd: float | None = None
    day_usd: float | None = None
    project_usd: float | None = None

    @property
    def any(self) -> bool:
        """Whether there is a cap at all."""
        return any(cap is not None for cap in (self.chapter_usd, self.day_usd, self.project_usd))


@dataclass(frozen=True, slots=True)
class Spend:
    """A sum of money, and how many calls are missing from it because their price is unknown."""

    usd: float
    unknown: int


class Ledger:
    """The usage log of a project, added up. `today` is a date like 2026-11-21, in UTC."""

    def __init__(self, entries: Iterable[UsageEntry], caps: Caps, today: str) -> None:
        self._caps = caps
        self._today = today
        last: dict[str, UsageEntry] = {}
        for entry in entries:
            if entry.event == "settle" or entry.id not in last:
                last[entry.id] = entry
        self._attempts = tuple(last.values())

    def spent(self, chapter: int | None = None, day: str | None = None) -> Spend:
        """What the attempts of a chapter, of a day, or all of them cost."""
        usd, unknown = 0.0, 0
        for entry in self._attempts:
            if chapter is not None and entry.chapter != chapter:
                continue
            if day is not None and not entry.ts.startswith(day):
                continue
            cost = entry.usd if entry.event == "settle" else entry.reserved_usd
            usd += cost or 0.0
            unknown += cost is None
        return Spend(usd, unknown)

    def check(self, chapter: int | None, worst: float) -> None:
        """Raises BudgetError when a call that may cost `worst` would pass a cap."""
        caps = self._caps
        figures: tuple[tuple[Cap, float | None, Spend], ...] = (
            ("chapter", None if chapter is None else caps.chapter_usd, self.spent(chapter)),
            ("day", caps.day_usd, self.spent(day=self._today)),
            ("project", caps.project_usd, self.spent()),
        )
        for cap, limit, spent in figures:
            if limit is not None and spent.usd + worst > limit + CENT_DUST:
                raise BudgetError(cap, limit, spent.usd, worst)
