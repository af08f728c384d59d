"""What this machine has spent, over all novels, as its state folder keeps it (R5, M12).

The usage log lies in the novel and can be taken back or edited with it; these
sums cannot. Of the two the higher counts. Only the newest days, chapters and
novels are kept, so that the file stays small however long a book becomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
"""A model of unknown price may be asked whatever the caps are; else it is the day it may."""
ASKED = "asked"
"""The writer was asked about a model of unknown price."""


class Sums(Value):
    """US dollars, reserves of calls without an end included: in all, by day, by chapter."""

    usd: Amount = 0.0
    days: dict[str, Amount] = {}
    chapters: dict[int, Amount] = {}

    def plus(self, entry: UsageEntry, usd: float) -> Sums:
        """With an amount, which may be negative, for the day and the chapter of an attempt."""
        chapters = self.chapters
        if entry.chapter is not None:
            chapters = _added(chapters, entry.chapter, usd, MOST_CHAPTERS)
        return Sums(
            usd=max(0.0, self.usd + usd),
            days=_added(self.days, entry.ts[:10], usd, MOST_DAYS),
            chapters=chapters,
        )

    @classmethod
    def of(cls, ledger: Ledger, in_work: int | None = None) -> Sums:
        """The sums of a usage log, that of the chapter in work among them."""
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
    """A reserve whose end was never noted."""

    entry: UsageEntry
    own: bool
    """Whether it was made on this machine: only then does its end lower this machine's sums."""


class NovelSums(Value):
    """What one novel cost."""

    own: Sums = Sums()
    """As this machine made the calls."""
    ledger: Sums = Sums()
    """As the novel's usage log says, up to `stamp`."""
    stamp: tuple[int, int, int] | None = None
    """Inode, size and time of the usage log when it was added up; None: it is added up anew."""
    last_chapter: int = 0
    """The highest chapter that the usage log names."""
    open: tuple[OpenCall, ...] = ()

    def knows(self, stamp: tuple[int, int, int], chapter: int | None) -> bool:
        """Whether the log is as it was added up, and the sum of that chapter still kept."""
        covered = chapter is None or chapter in self.ledger.chapters or chapter > self.last_chapter
        return stamp == self.stamp and covered

    def added_up(
        self, ledger: Ledger, stamp: tuple[int, int, int], in_work: int | None = None
    ) -> NovelSums:
        """After the usage log was read whole."""
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
        )

    def reserved(self, entry: UsageEntry, stamp: tuple[int, int, int]) -> NovelSums:
        """After a reserve was appended to a log that was added up."""
        usd = entry.reserved_usd or 0.0
        return NovelSums(
            own=self.own.plus(entry, usd),
            ledger=self.ledger.plus(entry, usd),
            stamp=stamp,
            last_chapter=max(self.last_chapter, entry.chapter or 0),
            open=(*self.open, OpenCall(entry=entry, own=True))[-MOST_OPEN:],
        )

    def settled(
        self, call: OpenCall | None, entry: UsageEntry, stamp: tuple[int, int, int] | None
    ) -> NovelSums:
        """After the end of an open call was appended; `stamp` None where others wrote too."""
        if call is None:
            return self.model_copy(update={"stamp": None})
        difference = (entry.usd or 0.0) - (call.entry.reserved_usd or 0.0)
        return NovelSums(
            own=self.own.plus(call.entry, difference) if call.own else self.own,
            ledger=self.ledger.plus(call.entry, difference),
            stamp=stamp,
            last_chapter=self.last_chapter,
            open=tuple(other for other in self.open if other.entry.id != entry.id),
        )

    def call(self, attempt: str) -> OpenCall | None:
        """The open call of that id."""
        return next((call for call in self.open if call.entry.id == attempt), None)


class Spendings(Value):
    """spending.json in the state folder."""

    schema_version: int = 1
    days: dict[str, Amount] = {}
    """Of all novels."""
    novels: dict[str, NovelSums] = {}
    """By folder."""
    unpriced: dict[str, str] = {}
    """By model of unknown price: `asked`, `always`, or the day on which it may be asked."""

    def novel(self, folder: str) -> NovelSums:
        """What one novel cost."""
        return self.novels.get(folder, NovelSums())

    def with_novel(self, folder: str, novel: NovelSums) -> Spendings:
        """With one novel's sums; the novel that was longest untouched may make room."""
        others = {name: sums for name, sums in self.novels.items() if name != folder}
        novels = _newest({**others, folder: novel}, MOST_NOVELS)
        return self.model_copy(update={"novels": novels})

    def without_novel(self, folder: str) -> Spendings:
        """Without one novel's sums; those of the days stay."""
        novels = {name: sums for name, sums in self.novels.items() if name != folder}
        return self.model_copy(update={"novels": novels})

    def with_day(self, entry: UsageEntry, usd: float) -> Spendings:
        """With an amount, which may be negative, for the day of an attempt."""
        return self.model_copy(update={"days": _added(self.days, entry.ts[:10], usd, MOST_DAYS)})

    def counted(self, novel: NovelSums, chapter: int | None, day: str) -> Counted:
        """What counts against the caps of a novel: of its log and these sums the higher."""
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
        """Whether the writer allowed a model whose price is unknown, for good or for that day."""
        return self.unpriced.get(model) in (ALWAYS, day)

    def with_unpriced(self, models: Iterable[str], until: str) -> Spendings:
        """With what the writer was asked or answered about models of unknown price."""
        return self.model_copy(
            update={"unpriced": {**self.unpriced, **dict.fromkeys(models, until)}}
        )


def _added(sums: Mapping[K, float], key: K, usd: float, most: int) -> dict[K, float]:
    """With an amount at one key, which is the newest then."""
    others = {name: amount for name, amount in sums.items() if name != key}
    return _newest({**others, key: max(0.0, sums.get(key, 0.0) + usd)}, most)


V = TypeVar("V")


def _newest(entries: Mapping[K, V], most: int) -> dict[K, V]:
    """The last entries of a mapping that is in the order they were used."""
    return dict(list(entries.items())[-most:])
