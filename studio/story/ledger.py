"""The usage log of a novel, summed: what is spent, and what may have been spent (N7).

The log is in the novel, where anything may be written into it, so no line can cancel another: of
two settles of one attempt the higher counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from studio.messages import said
from studio.story.records import UsageEntry

K = TypeVar("K")


def dollars(usd: float | None) -> str:
    """Formats an amount as `$0.0421`; an unknown price is never displayed as zero."""
    return said("unknown") if usd is None else f"${usd:.4f}"


@dataclass(slots=True)
class Total:
    """The usage and cost of several attempts."""

    calls: int = 0
    input_tokens: int = 0
    """Uncached input tokens: those read from a cache are not included."""
    cached_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    """The cost of the settled attempts."""
    unknown: int = 0
    """The number of calls of unknown price, which neither sum includes."""
    perhaps_calls: int = 0
    """The number of calls in progress or killed, whose end was not recorded."""
    perhaps_usd: float = 0.0
    """The maximum cost of those calls."""

    @property
    def counted(self) -> float:
        """The US dollars that count against a cap."""
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
    """One attempt at a call, from its first and last log lines."""

    first: UsageEntry
    last: UsageEntry

    @property
    def is_open(self) -> bool:
        """Whether the end of the attempt was never recorded."""
        return self.last.event == "reserve"

    @property
    def usd(self) -> float | None:
        """The actual cost, or the possible cost while open; None if the price is unknown."""
        return self.last.reserved_usd if self.is_open else self.last.usd

    @property
    def day(self) -> str:
        """The UTC date on which the attempt began, for which its cost counts."""
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
        """Returns the usage and cost of a chapter's attempts, of a day's (in UTC), or of all."""
        total = Total()
        for attempt in self.attempts:
            here = chapter is None or attempt.first.chapter == chapter
            if here and day in (None, attempt.day):
                total.add(attempt)
        return total

    def totals(self, key: Callable[[UsageEntry], K]) -> dict[K, Total]:
        """Returns totals grouped by `key` of the first line, in the order the attempts began."""
        by_key: dict[K, Total] = {}
        for attempt in self.attempts:
            by_key.setdefault(key(attempt.first), Total()).add(attempt)
        return by_key

    @property
    def open(self) -> tuple[UsageEntry, ...]:
        """The attempts whose end was never recorded."""
        return tuple(attempt.first for attempt in self.attempts if attempt.is_open)
