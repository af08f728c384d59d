"""What is spent and may have been spent: a novel's usage log, summed (N7), and this machine's sums
over all novels, as stored in its state folder (R5, M12).

The log is in the novel, where anything may be written into it, so no line can cancel another: of
two settles of one attempt the higher counts. It can also be reverted or edited with the novel; the
machine's sums cannot. The higher of the two counts. Only the newest days, chapters and novels are
kept, so that file stays small however long a book becomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from statistics import median
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import Field

from studio.messages import Said, quantity, said
from studio.story.calls import is_of_beginning, kind_of_call
from studio.story.form.document import Value
from studio.story.records import Counted, UsageEntry

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


Spent = Literal["chapter", "today", "novel"]
"""What was spent on the chapter in progress, on the novel today, and on it in all."""


def spent_amount(usd: float, is_about: bool) -> str:
    """Formats what was spent as `$0.0421`; `about $0.0421` where a part of it is an estimate."""
    return said("about {about}", about=dollars(usd)) if is_about else dollars(usd)


def spent_sentence(
    whole: float,
    today: float,
    unpriced: int = 0,
    chapter: int | None = None,
    here: float = 0.0,
    about: Collection[Spent] = (),
) -> Said:
    """Says what is spent in US dollars: on the novel (`whole`), on it today, and `here`, on the
    chapter in progress, if one is; with the number of calls of unknown price. `about` names the
    amounts of which a part is an estimate."""
    more: str = ""
    if unpriced:
        calls = quantity(unpriced, "{n} call", "{n} calls")
        more = said(", {calls} of unknown price", calls=calls)
    spent = spent_amount(whole, "novel" in about)
    since = spent_amount(today, "today" in about)
    if chapter is None:
        return said(
            "Spent: {spent}, today {today}{unpriced}.", spent=spent, today=since, unpriced=more
        )
    return said(
        "Spent: {here} on chapter {chapter}, {spent} in all, today {today}{unpriced}.",
        here=spent_amount(here, "chapter" in about),
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
        # “a cent” names no unit for the number behind it, and a dollar is another
        if round(about * 100) == 1 or most >= 1:
            return said("about {about} (at most {most})", about=amount(about), most=amount(most))
        return said(
            "about {about} (at most {cents})", about=amount(about), cents=ceil(most * 100 - 1e-9)
        )

    @property
    def brief(self) -> Said:
        """The price where there is room for one amount: `about 4 cents`."""
        if self.most is None or not self.about or self.most < 0.015:
            return self.words
        if self.about < 0.005:
            return said("less than a cent")
        return said("about {about}", about=amount(min(self.about, self.most)))

    @property
    def data(self) -> dict[str, float | None]:
        """The two amounts as `--json` prints them."""
        return {"about_usd": self.about, "worst_usd": self.most}

    def times(self, number: float) -> Estimate:
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
    tokens: int | None = None
    """The most tokens that such an answer has had, thinking included."""

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
        counts = [last.usage.output_tokens or 0 for _, last in newest if last.usage is not None]
        return cls(
            median(costs) if costs else None,
            median(spans) if spans else None,
            max(counts, default=None),
        )


class Fixing(NamedTuple):
    """What comes after the first reading of a chapter that nobody is asked about; by default as
    much as in the chapters that were written so to try it."""

    readings: float = 2
    """How often it is read again."""
    fixes: float = 4
    """How many passages the surgeon works on."""

    @classmethod
    def left(cls, entries: Iterable[UsageEntry], run: str) -> Fixing:
        """Returns what is still to come in a run, `gen-003-7f3a91`, by the newest others that a
        second reader took part in; `entries` are lines of a usage log, maybe the newest alone."""
        runs: dict[str, Counter[str]] = {}
        for entry in entries:
            if entry.event == "settle" and entry.settled_by is None and entry.usage is not None:
                name = "-".join(entry.call.split("-")[:3])
                runs.setdefault(name, Counter())[kind_of_call(entry.call)] += 1
        had = runs.pop(run, Counter())
        others = [one for one in runs.values() if one["judge"] and one["review-read"]]
        usual = cls()
        if others := others[-_MOST_REMEMBERED:]:
            usual = cls(median(o["judge"] - 1 for o in others), median(o["review"] for o in others))
        again = max(0, had["judge"] - 1)
        return cls(max(0, usual.readings - again), max(0, usual.fixes - had["review"]))


def share_counted(entries: Iterable[UsageEntry], model: str, usual: float = 1.0) -> float:
    """Returns what share of our estimates of prompts the endpoint of a model has counted in its
    newest finished calls, by their median, never more than 1; `usual` before the first."""
    begun: dict[str, int] = {}
    shares: list[float] = []
    for entry in entries:
        if entry.event == "reserve":
            begun[entry.id] = entry.prompt_tokens or 0
        elif entry.settled_by is None and entry.model == model and entry.usage is not None:
            used = entry.usage
            counts = (used.input_tokens, used.cache_read_tokens, used.cache_write_tokens)
            counted, estimated = sum(count or 0 for count in counts), begun.get(entry.id, 0)
            if counted and estimated and used.output_tokens:
                shares.append(min(1.0, counted / estimated))
    return median(shares[-_MOST_REMEMBERED:]) if shares else usual


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
    estimated_calls: int = 0
    """The number of calls whose cost in `usd` is an estimate: they were stopped or killed."""
    perhaps_calls: int = 0
    """The number of calls in progress or killed, whose end was not recorded."""
    perhaps_usd: float = 0.0
    """The maximum cost of those calls."""

    @property
    def words(self) -> str:
        """The cost, and what of it is not known."""
        cost = spent_amount(self.usd, bool(self.estimated_calls))
        if self.perhaps_calls:
            perhaps = f"{self.perhaps_usd:.4f}"
            cost = said("{cost} and perhaps ${perhaps}", cost=cost, perhaps=perhaps)
        if self.unknown:
            cost = said("{cost} and {n} of unknown price", cost=cost, n=self.unknown)
        return cost

    @property
    def amount(self) -> Said:
        """The cost as a person says it: `4 cents`, `about $1.24` where a part of it is an estimate,
        `nothing` where nothing was paid; and what of it is not known."""
        cost = amount(self.usd) if self.usd else said("nothing")
        if self.estimated_calls:
            cost = said("about {about}", about=cost)
        if self.perhaps_calls:
            perhaps = amount(self.perhaps_usd)
            cost = said("{cost} and perhaps {perhaps}", cost=cost, perhaps=perhaps)
        if self.unknown:
            cost = said("{cost} and {n} of unknown price", cost=cost, n=self.unknown)
        return cost

    def add(self, attempt: LoggedAttempt) -> None:
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
            self.estimated_calls += attempt.last.is_estimate


@dataclass(frozen=True, slots=True)
class LoggedAttempt:
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


class UsageLedger:
    """The attempts of a usage log, in the order they were begun."""

    def __init__(self, entries: Iterable[UsageEntry]) -> None:
        attempts: dict[str, LoggedAttempt] = {}
        for entry in entries:
            if entry.chapter is not None and is_of_beginning(entry.call):
                entry = entry.copy_with(chapter=None)  # an older studio's line
            attempt = attempts.get(entry.id)
            if attempt is None:
                attempts[entry.id] = LoggedAttempt(entry, entry)
            elif entry.event == "settle" and (
                attempt.is_open or (entry.usd or 0) > (attempt.usd or 0)
            ):
                attempts[entry.id] = LoggedAttempt(attempt.first, entry)
        self.attempts = tuple(attempts.values())

    def spent(self, chapter: int | None = None, day: str | None = None) -> Total:
        """Returns the usage and cost of a chapter's attempts, of a day's (in UTC), or of all."""
        total = Total()
        for attempt in self.attempts:
            here = chapter is None or attempt.first.chapter == chapter
            if here and day in (None, attempt.day):
                total.add(attempt)
        return total

    def spent_on(self, chapters: Collection[int]) -> Total:
        """Returns the usage and cost of the attempts of several chapters."""
        total = Total()
        for attempt in self.attempts:
            if attempt.first.chapter in chapters:
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


Name = TypeVar("Name")
Amount = Annotated[float, Field(ge=0)]
MOST_DAYS = 16
MOST_CHAPTERS = 64
MOST_NOVELS = 50
MOST_OPEN = 100
ALWAYS = "always"
"""The value for a model of unknown price that may be called for good, unlike for one day."""
ASKED = "asked"
"""The value for a model of unknown price that the writer was asked about."""


BEGINNING = 0
"""What stands for the chapter's number where the beginning of a book is summed. It has the cap of
a chapter for itself."""


def booked_under(entry: UsageEntry) -> int | None:
    """Returns the chapter that a call counts for, or that it counts for the beginning; None where
    its chapter was taken out of the book."""
    return BEGINNING if is_of_beginning(entry.call) else entry.chapter


class Sums(Value):
    """Sums in US dollars, including reserves of open calls: in total, by day, by chapter."""

    usd: Amount = 0.0
    days: dict[str, Amount] = {}
    chapters: dict[int, Amount] = {}

    def plus(self, entry: UsageEntry, usd: float) -> Sums:
        """Returns the sums after an amount, maybe negative, for an attempt's day and chapter."""
        chapters, chapter = self.chapters, booked_under(entry)
        if chapter is not None:
            chapters = _add(chapters, chapter, usd, MOST_CHAPTERS)
        return Sums(
            usd=max(0.0, self.usd + usd),
            days=_add(self.days, entry.ts[:10], usd, MOST_DAYS),
            chapters=chapters,
        )

    def under(self, numbers: Mapping[str, int | str]) -> Sums:
        """Returns the sums with the chapters' new numbers; one that was taken out has none."""
        chapters: dict[int, float] = {}
        for old, usd in self.chapters.items():
            new = numbers.get(str(old), old)
            if isinstance(new, int):
                chapters[new] = chapters.pop(new, 0.0) + usd
        return self.copy_with(chapters=chapters)

    @classmethod
    def of(cls, ledger: UsageLedger, in_work: int | None = None) -> Sums:
        """Builds the sums of a usage log, including that of the chapter in work."""
        days: dict[str, float] = {}
        chapters: dict[int, float] = {}
        total = 0.0
        for attempt in ledger.attempts:
            usd, chapter = attempt.usd or 0.0, booked_under(attempt.first)
            total += usd
            days[attempt.day] = days.pop(attempt.day, 0.0) + usd
            if chapter is not None:
                chapters[chapter] = chapters.pop(chapter, 0.0) + usd
        if in_work in chapters:
            chapters[in_work] = chapters.pop(in_work)
        return cls(
            usd=total, days=_newest(days, MOST_DAYS), chapters=_newest(chapters, MOST_CHAPTERS)
        )


class OpenCall(Value):
    """A reserve whose end was not recorded."""

    entry: UsageEntry
    own: bool
    """Whether this machine made the call: only then does its end lower this machine's sums."""

    def under(self, numbers: Mapping[str, int | str]) -> OpenCall:
        """Returns the call with the new number of its chapter; one that was taken out has none."""
        new = numbers.get(str(self.entry.chapter), self.entry.chapter)
        chapter = new if isinstance(new, int) else None
        return OpenCall(entry=self.entry.copy_with(chapter=chapter), own=self.own)


class NovelSums(Value):
    """The cost of one novel."""

    own: Sums = Sums()
    """The sums of the calls that this machine made."""
    ledger: Sums = Sums()
    """The sums of the novel's usage log up to `stamp`."""
    stamp: tuple[int, int, int] | None = None
    """Inode, size and time of the usage log when it was summed; None means sum it again."""
    last_chapter: int = 0
    """The highest chapter that the usage log names."""
    open: tuple[OpenCall, ...] = ()
    moves: int | None = None
    """How many lines of the usage log that renumber chapters `own` follows; None before it was
    counted."""

    def under_todays_numbers(self, maps: Sequence[Mapping[str, int | str]]) -> NovelSums:
        """Returns the sums with the numbers that chapters have after all these maps of the usage
        log, of which the first `moves` are followed already."""
        own, calls = self.own, self.open
        for numbers in maps[len(maps) if self.moves is None else self.moves :]:
            own, calls = own.under(numbers), tuple(call.under(numbers) for call in calls)
        return self.copy_with(own=own, open=calls, moves=len(maps))

    def knows(self, stamp: tuple[int, int, int], chapter: int | None) -> bool:
        """Whether the log is unchanged since it was summed and the chapter's sum is still kept."""
        covered = chapter is None or chapter in self.ledger.chapters or chapter > self.last_chapter
        return stamp == self.stamp and covered

    def added_up(
        self, ledger: UsageLedger, stamp: tuple[int, int, int], in_work: int | None = None
    ) -> NovelSums:
        """Returns the sums after the whole usage log was read."""
        own = tuple(call for call in self.open if call.own)
        ids = {call.entry.id for call in own}
        others = [OpenCall(entry=e, own=False) for e in ledger.open if e.id not in ids]
        numbers = [attempt.first.chapter or 0 for attempt in ledger.attempts]
        return NovelSums(
            own=self.own,
            ledger=Sums.of(ledger, in_work),
            stamp=stamp,
            last_chapter=max(numbers, default=0),
            open=(*others, *own)[-MOST_OPEN:],
            moves=self.moves,
        )

    def add_reserve(self, entry: UsageEntry, stamp: tuple[int, int, int]) -> NovelSums:
        """Returns the sums after a reserve was appended to a log that was already summed."""
        usd = entry.reserved_usd or 0.0
        return NovelSums(
            own=self.own.plus(entry, usd),
            ledger=self.ledger.plus(entry, usd),
            stamp=stamp,
            last_chapter=max(self.last_chapter, entry.chapter or 0),
            open=(*self.open, OpenCall(entry=entry, own=True))[-MOST_OPEN:],
            moves=self.moves,
        )

    def add_end(
        self, call: OpenCall | None, entry: UsageEntry, stamp: tuple[int, int, int] | None
    ) -> NovelSums:
        """Returns the sums after the end of an open call was appended; `stamp` is None where
        another process wrote too."""
        if call is None:
            return self.copy_with(stamp=None)
        difference = (entry.usd or 0.0) - (call.entry.reserved_usd or 0.0)
        return NovelSums(
            own=self.own.plus(call.entry, difference) if call.own else self.own,
            ledger=self.ledger.plus(call.entry, difference),
            stamp=stamp,
            last_chapter=self.last_chapter,
            open=tuple(other for other in self.open if other.entry.id != entry.id),
            moves=self.moves,
        )

    def call(self, attempt: str) -> OpenCall | None:
        """Returns the open call with that id."""
        return next((call for call in self.open if call.entry.id == attempt), None)


class Spendings(Value):
    """The contents of spending.json in the state folder."""

    schema_version: int = 1
    days: dict[str, Amount] = {}
    """The sums of all novels by day."""
    novels: dict[str, NovelSums] = {}
    """The sums of each novel by its id; by its folder before it had one."""
    unpriced: dict[str, str] = {}
    """Maps a model of unknown price to `asked`, `always`, or the day on which it may be called."""

    def novel(self, name: str) -> NovelSums:
        """Returns the sums of one novel."""
        return self.novels.get(name, NovelSums())

    def with_novel(self, name: str, novel: NovelSums) -> Spendings:
        """Returns a copy with one novel's sums; the least recently used novel may be evicted."""
        others = {other: sums for other, sums in self.novels.items() if other != name}
        novels = _newest({**others, name: novel}, MOST_NOVELS)
        return self.copy_with(novels=novels)

    def without_novels(self, names: Collection[str]) -> Spendings:
        """Returns a copy without the sums of these novels; those of the days stay."""
        novels = {name: sums for name, sums in self.novels.items() if name not in names}
        return self.copy_with(novels=novels)

    def with_day(self, entry: UsageEntry, usd: float) -> Spendings:
        """Returns a copy with an amount (it may be negative) added for the day of an attempt."""
        return self.copy_with(days=_add(self.days, entry.ts[:10], usd, MOST_DAYS))

    def count(self, novel: NovelSums, chapter: int | None, day: str) -> Counted:
        """Returns what counts against the caps of a novel: the higher of its log and these sums.
        Of no chapter, None, nothing counts against a chapter's cap."""
        own, ledger = novel.own, novel.ledger
        today = ledger.days.get(day, 0.0)
        return Counted(
            chapter=0.0
            if chapter is None
            else max(own.chapters.get(chapter, 0.0), ledger.chapters.get(chapter, 0.0)),
            day=max(own.days.get(day, 0.0), today),
            novel=max(own.usd, ledger.usd),
            all_novels=max(self.days.get(day, 0.0), today),
            perhaps=sum(call.entry.reserved_usd or 0.0 for call in novel.open),
        )

    def may_go_unpriced(self, model: str, day: str) -> bool:
        """Whether the writer allowed a model of unknown price, permanently or for that day."""
        return self.unpriced.get(model) in (ALWAYS, day)

    def with_unpriced(self, models: Iterable[str], until: str) -> Spendings:
        """Returns a copy with the writer's question or answer about models of unknown price."""
        return self.copy_with(unpriced={**self.unpriced, **dict.fromkeys(models, until)})


def _add(sums: Mapping[Name, float], key: Name, usd: float, most: int) -> dict[Name, float]:
    """Returns the sums with an amount added at one key, which becomes the newest."""
    others = {name: amount for name, amount in sums.items() if name != key}
    return _newest({**others, key: max(0.0, sums.get(key, 0.0) + usd)}, most)


V = TypeVar("V")


def _newest(entries: Mapping[Name, V], most: int) -> dict[Name, V]:
    """Returns the last entries of a mapping ordered by use."""
    return dict(list(entries.items())[-most:])
