"""The usage log of a novel, added up: what is spent, and what perhaps is (N7).

The log lies in the novel, where anything may be written into it, so a line
never takes back what another says: of two settles of one attempt the higher counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from studio.story.records import UsageEntry

K = TypeVar("K")


def dollars(usd: float | None) -> str:
    """`$0.0421`; a price that is not known is never zero."""
    return "unknown" if usd is None else f"${usd:.4f}"


@dataclass(slots=True)
class Total:
    """What several attempts used and cost."""

    calls: int = 0
    input_tokens: int = 0
    """Read anew: what came from a cache is not among them."""
    cached_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    """What the attempts cost whose end was noted."""
    unknown: int = 0
    """Calls whose price is unknown, which both sums are without."""
    perhaps_calls: int = 0
    """Calls that are under way or were killed: nobody noted their end."""
    perhaps_usd: float = 0.0
    """The most those can have cost."""

    @property
    def counted(self) -> float:
        """US dollars that count against a cap."""
        return self.usd + self.perhaps_usd

    def add(self, attempt: Attempt) -> None:
        """Adds one attempt to the sums."""
        self.calls += 1
        if (used := attempt.last.usage) is not None:
            self.input_tokens += (used.input_tokens or 0) + (used.cache_write_tokens or 0)
            self.cached_tokens += used.cache_read_tokens or 0
            self.output_tokens += used.output_tokens or 0
        cost = attempt.usd
        self.unknown += cost is None
        if attempt.is_open:
            self.perhaps_calls += 1
            self.perhaps_usd += cost or 0.0
        else:
            self.usd += cost or 0.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a call, by the first line about it and the last."""

    first: UsageEntry
    last: UsageEntry

    @property
    def is_open(self) -> bool:
        """Whether its end was never noted."""
        return self.last.event == "reserve"

    @property
    def usd(self) -> float | None:
        """What it cost, or may have cost while it is open; None when the price is unknown."""
        return self.last.reserved_usd if self.is_open else self.last.usd

    @property
    def day(self) -> str:
        """The date it was begun, in UTC: it counts for that day, whenever it was settled."""
        return self.first.ts[:10]


class Ledger:
    """The attempts of a usage log, in the order they were begun."""

    def __init__(self, entries: Iterable[UsageEntry]) -> None:
        attempts: dict[str, Attempt] = {}
        for entry in entries:
            attempt = attempts.get(entry.id)
            if attempt is None:
                attempts[entry.id] = Attempt(entry, entry)
            elif entry.event == "settle" and (
                attempt.is_open or (entry.usd or 0) > (attempt.usd or 0)
            ):
                attempts[entry.id] = Attempt(attempt.first, entry)
        self.attempts = tuple(attempts.values())

    def spent(self, chapter: int | None = None, day: str | None = None) -> Total:
        """What the attempts of a chapter, of a day (in UTC), or all of them used and cost."""
        total = Total()
        for attempt in self.attempts:
            here = chapter is None or attempt.first.chapter == chapter
            if here and day in (None, attempt.day):
                total.add(attempt)
        return total

    def totals(self, key: Callable[[UsageEntry], K]) -> dict[K, Total]:
        """The attempts by `key` of their first line, in the order they were begun."""
        by_key: dict[K, Total] = {}
        for attempt in self.attempts:
            by_key.setdefault(key(attempt.first), Total()).add(attempt)
        return by_key

    @property
    def open(self) -> tuple[UsageEntry, ...]:
        """The attempts that were begun and whose end was never noted."""
        return tuple(attempt.first for attempt in self.attempts if attempt.is_open)
