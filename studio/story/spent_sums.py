"""This machine's spending over all novels, as stored in its state folder (R5, M12).

The usage log is in the novel and can be reverted or edited with it; these sums cannot. The higher
of the two counts. Only the newest days, chapters and novels are kept, so the file stays small
however long a book becomes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from studio.story.form.document import Value
from studio.story.ledger import Ledger
from studio.story.records import Counted, UsageEntry

K = TypeVar("K")
Amount = Annotated[float, Field(ge=0)]
MOST_DAYS = 16
MOST_CHAPTERS = 64
MOST_NOVELS = 50
MOST_OPEN = 100
ALWAYS = "always"
"""The value for a model of unknown price that may be called for good, unlike for one day."""
ASKED = "asked"
"""The value for a model of unknown price that the writer was asked about."""


class Sums(Value):
    """Sums in US dollars, including reserves of open calls: in total, by day, by chapter."""

    usd: Amount = 0.0
    days: dict[str, Amount] = {}
    chapters: dict[int, Amount] = {}

    def plus(self, entry: UsageEntry, usd: float) -> Sums:
        """Returns the sums after an amount, maybe negative, for an attempt's day and chapter."""
        chapters = self.chapters
        if entry.chapter is not None:
            chapters = _added(chapters, entry.chapter, usd, MOST_CHAPTERS)
        return Sums(
            usd=max(0.0, self.usd + usd),
            days=_added(self.days, entry.ts[:10], usd, MOST_DAYS),
            chapters=chapters,
        )

    def under(self, numbers: Mapping[str, int | str]) -> Sums:
        """Returns the sums with the chapters' new numbers; one that was taken out has none."""
        chapters: dict[int, float] = {}
        for old, usd in self.chapters.items():
            new = numbers.get(str(old), old)
            if isinstance(new, int):
                chapters[new] = chapters.pop(new, 0.0) + usd
        return self.model_copy(update={"chapters": chapters})

    @classmethod
    def of(cls, ledger: Ledger, in_work: int | None = None) -> Sums:
        """Builds the sums of a usage log, including that of the chapter in work."""
        days: dict[str, float] = {}
        chapters: dict[int, float] = {}
        total = 0.0
        for attempt in ledger.attempts:
            usd, chapter = attempt.usd or 0.0, attempt.first.chapter
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
        return OpenCall(entry=self.entry.model_copy(update={"chapter": chapter}), own=self.own)


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
        return self.model_copy(update={"own": own, "open": calls, "moves": len(maps)})

    def knows(self, stamp: tuple[int, int, int], chapter: int | None) -> bool:
        """Whether the log is unchanged since it was summed and the chapter's sum is still kept."""
        covered = chapter is None or chapter in self.ledger.chapters or chapter > self.last_chapter
        return stamp == self.stamp and covered

    def added_up(
        self, ledger: Ledger, stamp: tuple[int, int, int], in_work: int | None = None
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

    def reserved(self, entry: UsageEntry, stamp: tuple[int, int, int]) -> NovelSums:
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

    def settled(
        self, call: OpenCall | None, entry: UsageEntry, stamp: tuple[int, int, int] | None
    ) -> NovelSums:
        """Returns the sums after the end of an open call was appended; `stamp` is None where
        another process wrote too."""
        if call is None:
            return self.model_copy(update={"stamp": None})
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
        return self.model_copy(update={"novels": novels})

    def without_novels(self, names: Collection[str]) -> Spendings:
        """Returns a copy without the sums of these novels; those of the days stay."""
        novels = {name: sums for name, sums in self.novels.items() if name not in names}
        return self.model_copy(update={"novels": novels})

    def with_day(self, entry: UsageEntry, usd: float) -> Spendings:
        """Returns a copy with an amount (it may be negative) added for the day of an attempt."""
        return self.model_copy(update={"days": _added(self.days, entry.ts[:10], usd, MOST_DAYS)})

    def counted(self, novel: NovelSums, chapter: int | None, day: str) -> Counted:
        """Returns what counts against the caps of a novel: the higher of its log and these sums."""
        own, ledger = novel.own, novel.ledger
        today = ledger.days.get(day, 0.0)
        number = chapter or 0
        return Counted(
            chapter=max(own.chapters.get(number, 0.0), ledger.chapters.get(number, 0.0)),
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
        return self.model_copy(
            update={"unpriced": {**self.unpriced, **dict.fromkeys(models, until)}}
        )


def _added(sums: Mapping[K, float], key: K, usd: float, most: int) -> dict[K, float]:
    """Returns the sums with an amount added at one key, which becomes the newest."""
    others = {name: amount for name, amount in sums.items() if name != key}
    return _newest({**others, key: max(0.0, sums.get(key, 0.0) + usd)}, most)


V = TypeVar("V")


def _newest(entries: Mapping[K, V], most: int) -> dict[K, V]:
    """Returns the last entries of a mapping ordered by use."""
    return dict(list(entries.items())[-most:])
