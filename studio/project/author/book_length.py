"""How long the book is: by chapter, by volume, in all, and what of it was written today."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from studio.config.schema import Settings
from studio.project.author.writing_days import writing_days
from studio.project.index import contents
from studio.project.store import ProjectStore
from studio.story.form.document import Value
from studio.story.novel import unit_of
from studio.story.writing_days import per_day


class VolumeLength(Value):
    """One volume of the book."""

    volume: int
    title: str
    chapters: int
    """Chapters of it that are written."""
    length: int


class BookLength(Value):
    """Sums over the chapters that are written, and what the author wants to reach."""

    unit: str
    """`words` of English, `characters` without spaces of Korean and Chinese."""
    length: int = 0
    today: int = 0
    goal: int | None = None
    due: str | None = None
    per_day: int | None = None
    """What each day asks for until then, today included; None without a goal or a day."""
    volumes: tuple[VolumeLength, ...] = ()


def book_length(
    store: ProjectStore, settings: Settings, lengths: Mapping[int, int], day: date
) -> BookLength:
    """The sums; `lengths` are those of the chapters that are written. Reads only."""
    goals, total = settings.goals, sum(lengths.values())
    volumes = []
    for volume, title, entries in contents(store.layout).volumes:
        own = [lengths[entry.chapter] for entry in entries if entry.chapter in lengths]
        volumes.append(VolumeLength(volume=volume, title=title, chapters=len(own), length=sum(own)))
    return BookLength(
        unit=unit_of(settings.novel.language),
        length=total,
        today=writing_days(store).written(day),
        goal=goals.book,
        due=goals.due,
        per_day=_per_day(total, goals.book, goals.due, day),
        volumes=tuple(volumes),
    )


def _per_day(length: int, goal: int | None, due: str | None, day: date) -> int | None:
    if goal is None or due is None:
        return None
    try:
        return per_day(length, goal, day, date.fromisoformat(due))
    except ValueError:
        return None
