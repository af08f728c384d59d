"""The length of the book: per chapter, per volume, in total, and how much was written on which day.

The days are in .studio/writing-days.json, on which nothing else depends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date

from studio.config.schema import Settings
from studio.errors import StudioError
from studio.project import layout as places
from studio.project.author.published import last_published
from studio.project.files import load
from studio.project.index import contents
from studio.project.store import ProjectStore
from studio.story.chapter_list import number_in
from studio.story.form.document import Value, to_bytes
from studio.story.lengths import Unit, unit_in
from studio.story.writing_days import WritingDays, per_day
from studio.text.diff import diff
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import length_in


def writing_days(store: ProjectStore) -> WritingDays:
    """Returns the recorded days; empty if the file is missing or cannot be read."""
    try:
        return load.document(store.root, WritingDays, places.WRITING_DAYS) or WritingDays()
    except StudioError:
        return WritingDays()


def name_among_days(store: ProjectStore, chapter: int) -> str:
    """Returns the name by which the days count a chapter, whatever its number will be."""
    try:
        name = store.chapter_list().id_of(chapter)
    except StudioError:
        return str(chapter)
    return str(number_in(name) or name)


def keep_length(
    store: ProjectStore, day: date, chapter: int | str, before: int, now: int
) -> WritingDays:
    """Records that a chapter's length, `before` when it was opened, is `now`; `chapter` is its name
    among the days.

    Raises StudioError (exit 1) if the file cannot be written.
    """
    known = writing_days(store)
    fresh = known.with_length(day, chapter, before, now)
    if fresh != known:
        store.root.write(places.WRITING_DAYS, to_bytes(fresh), durable=False)
    return fresh


def count_her_words(
    store: ProjectStore,
    settings: Settings,
    pack: LanguagePack,
    chapter: int,
    text: str,
    *,
    hers: str,
    others: Sequence[str],
    out: bool = False,
) -> None:
    """Counts to the author's day what she writes otherwise than in the editor: the words of `hers`
    that are in none of the `others`, the passage whose place they take and what somebody else
    proposed for it; `out` if they are out of the text again. `text` is the chapter as it is now.
    Failing to save it loses nothing else."""
    unit = unit_in(settings)
    count = min(
        sum(
            length_in(step.text, pack, unit)
            for step in diff(other, hers, pack.language)
            if step.kind == "added"
        )
        for other in others
    )
    now = length_in(text, pack, unit)
    before = max(0, now + count if out else now - count)
    with suppress(StudioError):
        keep_length(store, date.today(), name_among_days(store, chapter), before, now)


class VolumeLength(Value):
    """The length of one volume of the book."""

    volume: int
    title: str
    chapters: int
    """The number of its written chapters."""
    length: int


class BookLength(Value):
    """The lengths of the written chapters, and the author's goals."""

    unit: Unit
    """The unit of the lengths: `words` for English, for Korean and Chinese `characters` without
    spaces, or what `targets.count` says."""
    length: int = 0
    today: int = 0
    goal: int | None = None
    due: str | None = None
    per_day: int | None = None
    """The daily amount needed to reach the goal in time, today included; None without a goal or due
    date."""
    day_goal: int | None = None
    """How much she wants to write in a day (`goals.sitting`)."""
    buffer: int | None = None
    """How many chapters are written beyond the last published one; None where nothing is published
    and the book is no serial."""
    volumes: tuple[VolumeLength, ...] = ()


def book_length(
    store: ProjectStore, settings: Settings, lengths: Mapping[int, int], day: date
) -> BookLength:
    """Returns the totals; `lengths` has the length of each written chapter. Writes nothing."""
    goals, total = settings.goals, sum(lengths.values())
    volumes = []
    for volume, title, entries in contents(store.layout).volumes:
        own = [lengths[entry.chapter] for entry in entries if entry.chapter in lengths]
        volumes.append(VolumeLength(volume=volume, title=title, chapters=len(own), length=sum(own)))
    return BookLength(
        unit=unit_in(settings),
        length=total,
        today=writing_days(store).growth_on(day),
        goal=goals.book,
        due=goals.due,
        per_day=_per_day(total, goals.book, goals.due, day),
        day_goal=goals.sitting,
        buffer=_buffer(store, settings, lengths),
        volumes=tuple(volumes),
    )


def _buffer(store: ProjectStore, settings: Settings, lengths: Mapping[int, int]) -> int | None:
    last = last_published(store)
    if not last and settings.novel.form != "serial":
        return None
    return sum(number > last for number in lengths)


def _per_day(length: int, goal: int | None, due: str | None, day: date) -> int | None:
    if goal is None or due is None:
        return None
    try:
        return per_day(length, goal, day, date.fromisoformat(due))
    except ValueError:
        return None
