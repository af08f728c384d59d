"""The amount written per day by the author's own hand, in the editor or as her own words in a
review, by chapter."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from pydantic import Field

from studio.story.form.document import Document, Value

_MOST_DAYS = 400
"""The number of days kept: somewhat more than a year."""


class DayCount(Value):
    """One chapter on one day, in words (en) or characters without spaces (ko, zh)."""

    first: int = Field(ge=0)
    """The chapter's length when the day's work on it began."""
    last: int = Field(ge=0)
    """The chapter's length when it was last saved."""


class WritingDays(Document):
    """.studio/writing-days.json: by day (ISO date of the writer's own calendar), by chapter: the
    number its id was made from, or its id, so that a moved chapter takes its days along."""

    SCHEMA: ClassVar[str] = "writing-days"

    days: Mapping[str, Mapping[str, DayCount]] = Field(default={})
    """The last 400 days. Words that models wrote are not counted; nothing else depends on it."""

    def with_length(self, day: date, chapter: int | str, before: int, now: int) -> WritingDays:
        """Returns a copy in which a chapter opened at length `before` now has length `now`;
        `chapter` is its name among the days. What it grew or shrank by since it was last saved by
        her hand was done by others, a model for one, and is no part of her day."""
        name, key = day.isoformat(), str(chapter)
        counts = dict(self.days.get(name, {}))
        known = counts.get(key)
        first = max(0, known.first + before - known.last) if known else before
        counts[key] = DayCount(first=first, last=now)
        days = {**self.days, name: counts}
        return self.copy_with(days={one: days[one] for one in sorted(days)[-_MOST_DAYS:]})

    def last_length(self, chapter: int | str) -> int | None:
        """Returns the length of a chapter when it was counted last; None if it never was."""
        counts = (self.days[day].get(str(chapter)) for day in sorted(self.days, reverse=True))
        return next((count.last for count in counts if count is not None), None)

    def growth_on(self, day: date) -> int:
        """Returns the growth of the chapters on a day; negative where more was cut than written."""
        return sum(c.last - c.first for c in self.days.get(day.isoformat(), {}).values())


def per_day(length: int, goal: int, day: date, due: date) -> int | None:
    """Returns how much must be written each day, today included, to reach a goal by a date; None
    where it is reached, or the date is past."""
    left, days = goal - length, (due - day).days + 1
    return None if left <= 0 or days <= 0 else -(-left // days)
