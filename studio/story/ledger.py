"""The usage log of a novel, summed: what is spent, and what may have been spent (N7).

The log is in the novel, where anything may be written into it, so no line can cancel another: of
two settles of one attempt the higher counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from statistics import median
from typing import TypeVar

from studio.messages import Said, quantity, said
from studio.story.calls import kind_of_call
from studio.story.records import UsageEntry

K = TypeVar("K")


def dollars(usd: float | None) -> str:
    """Formats an amount as `$0.0421`; an unknown price is never displayed as zero."""
    return said("unknown") if usd is None else f"${usd:.4f}"


def amount(usd: float) -> Said:
    """Returns an amount as a person says it: `less than a cent`, `a cent`, `4 cents`, `$1.24` from
    a dollar on."""
    cents = round(usd * 100)
    if cents >= 100:
        return said("${usd}", usd=f"{usd:.2f}")
    if cents > 1:
        return said("{n} cents", n=cents)
    return said("a cent") if cents else said("less than a cent")


def spent_sentence(
    whole: float, today: float, unpriced: int = 0, chapter: int | None = None, here: float = 0.0
) -> Said:
    """Says what is spent in US dollars: on the novel (`whole`), on it today, and `here`, on the
    chapter in progress, if one is; with the number of calls of unknown price."""
    more: str = ""
    if unpriced:
        calls = quantity(unpriced, "{n} call", "{n} calls")
        more = said(", {calls} of unknown price", calls=calls)
    spent, since = f"{whole:.4f}", f"{today:.4f}"
    if chapter is None:
        return said(
            "Spent: ${spent}, today ${today}{unpriced}.", spent=spent, today=since, unpriced=more
        )
    return said(
        "Spent: ${here} on chapter {chapter}, ${spent} in all, today ${today}{unpriced}.",
        here=f"{here:.4f}",
        chapter=chapter,
        spent=spent,
        today=since,
        unpriced=more,
    )


@dataclass(frozen=True, slots=True)
class Estimate:
    """What calls would cost in US dollars, said before they are made (WRITING 6)."""

    about: float | None
    """What they will probably cost; None where `most` is."""
    most: float | None
    """What they can cost at most; None if a price is unknown."""

    @property
    def words(self) -> Said:
        """The price as every offer says it: `about 4 cents (at most 68)`."""
        if self.most is None:
            return said("its price is not known")
        if not self.most:
            return said("it costs nothing")
        about = min(self.about or 0.0, self.most)
        most = ceil(self.most * 100 - 1e-9) / 100
        if most < 0.015:
            return said("less than a cent") if self.most < 0.01 else said("at most a cent")
        if round(about * 100) < 1:
            return said("less than a cent (at most {most})", most=amount(most))
        if most < 1:
            return said(
                "about {about} (at most {most})", about=amount(about), most=ceil(most * 100 - 1e-9)
            )
        return said("about {about} (at most {most})", about=amount(about), most=amount(most))

    @property
    def data(self) -> dict[str, float | None]:
        """The two amounts as `--json` prints them."""
        return {"about_usd": self.about, "worst_usd": self.most}

    def times(self, number: int) -> Estimate:
        """Returns the estimate for so many calls like these."""
        about = None if self.about is None else self.about * number
        return Estimate(about, None if self.most is None else self.most * number)

    @classmethod
    def together(cls, estimates: Iterable[Estimate]) -> Estimate:
        """Returns the estimate for all these calls; unknown where one of them is."""
        every = list(estimates)
        if any(one.most is None for one in every):
            return cls(None, None)
        return cls(sum(one.about or 0.0 for one in every), sum(one.most or 0.0 for one in every))


FREE = Estimate(0.0, 0.0)
"""The estimate for no call, or for one that costs nothing."""
_MOST_REMEMBERED = 8
"""How many of the newest calls of a kind say what the next will cost and how long it will take."""


@dataclass(frozen=True, slots=True)
class Usual:
    """What calls of one kind cost and how long they took in this novel; None without any."""

    usd: float | None = None
    seconds: float | None = None

    @classmethod
    def of(cls, entries: Iterable[UsageEntry], call: str, model: str) -> Usual:
        """Returns the median of the newest finished calls of the same kind to the same model.
        `entries` are lines of a usage log in their order, maybe the newest alone."""
        kind = kind_of_call(call)
        begun: dict[str, UsageEntry] = {}
        ended: list[tuple[UsageEntry, UsageEntry]] = []
        for entry in entries:
            if entry.event == "reserve":
                begun[entry.id] = entry
            elif (
                entry.settled_by is None
                and entry.model == model
                and entry.id in begun
                and entry.usage is not None
                and entry.usage.output_tokens
                and kind_of_call(entry.call) == kind
            ):
                ended.append((begun[entry.id], entry))
        newest = ended[-_MOST_REMEMBERED:]
        costs = [last.usd for _, last in newest if last.usd is not None]
        spans = [
            span for first, last in newest if (span := _seconds(first.ts, last.ts)) is not None
        ]
        return cls(median(costs) if costs else None, median(spans) if spans else None)


def _seconds(first: str, last: str) -> float | None:
    try:
        return max(
            0.0, (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
        )
    except (TypeError, ValueError):
        return None


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
