"""What has been spent, and whether the next call may start (N7, M12).

A reserve without its settle counts in full: the process may have died in
between. A cap stops; it never chooses a cheaper model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from studio.llm.errors import BudgetError, Cap
from studio.story.calls import UsageEntry

K = TypeVar("K")
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


@dataclass(slots=True)
class Total:
    """What several attempts used and cost."""

    calls: int = 0
    input_tokens: int = 0
    """Read anew: what came from a cache is not among them."""
    cached_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    unknown: int = 0
    """Calls whose price is unknown, which `usd` is without."""

    def add(self, entry: UsageEntry) -> None:
        """Counts an attempt, whether it was settled or not."""
        self.calls += 1
        if (used := entry.usage) is not None:
            self.input_tokens += (used.input_tokens or 0) + (used.cache_write_tokens or 0)
            self.cached_tokens += used.cache_read_tokens or 0
            self.output_tokens += used.output_tokens or 0
        cost = _cost(entry)
        self.usd += cost or 0.0
        self.unknown += cost is None


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

    def spent(self, chapter: int | None = None, day: str | None = None) -> Total:
        """What the attempts of a chapter, of a day, or all of them used and cost."""
        total = Total()
        for entry in self._attempts:
            here = chapter is None or entry.chapter == chapter
            if here and (day is None or entry.ts.startswith(day)):
                total.add(entry)
        return total

    def totals(self, key: Callable[[UsageEntry], K]) -> dict[K, Total]:
        """The attempts by `key`, in the order the first of each was made."""
        found: dict[K, Total] = {}
        for entry in self._attempts:
            found.setdefault(key(entry), Total()).add(entry)
        return found

    def check(self, chapter: int | None, worst: float) -> None:
        """Raises BudgetError when a call that may cost `worst` would pass a cap."""
        caps = self._caps
        figures: tuple[tuple[Cap, float | None, Total], ...] = (
            ("chapter", None if chapter is None else caps.chapter_usd, self.spent(chapter)),
            ("day", caps.day_usd, self.spent(day=self._today)),
            ("project", caps.project_usd, self.spent()),
        )
        for cap, limit, spent in figures:
            if limit is not None and spent.usd + worst > limit + CENT_DUST:
                raise BudgetError(cap, limit, spent.usd, worst)


def _cost(entry: UsageEntry) -> float | None:
    """An attempt that was never settled may have cost all that was reserved for it."""
    return entry.usd if entry.event == "settle" else entry.reserved_usd
