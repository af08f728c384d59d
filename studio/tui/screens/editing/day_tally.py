"""The length written in a day: counted while a text is open, saved along with it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import date

from studio.errors import StudioError
from studio.project.author.book_length import keep_length, name_among_days, writing_days
from studio.session import Session
from studio.story.writing_days import WritingDays
from studio.tui.views.typed_numbers import LengthGoal


class DayTally:
    """One chapter's share of the day, added to the growth of the other chapters."""

    def __init__(self, session: Session, chapter: int, target: int | None) -> None:
        self._session = session
        self._chapter = chapter
        self._name = str(chapter)
        """The chapter's name among the days."""
        self._target = target or session.settings.targets.chapter_length
        self._days = WritingDays()
        self._opened: int | None = None
        self._length = 0

    async def begin(self) -> None:
        """Reads what is recorded of the day."""
        store = self._session.store
        self._name = await asyncio.to_thread(name_among_days, store, self._chapter)
        self._days = await asyncio.to_thread(writing_days, store)

    def goal(self, length: int) -> LengthGoal:
        """Returns the goals for chapter and day, given the text's present length."""
        if self._opened is None:
            self._opened = length
        self._length = length
        today = date.today()
        days = self._days.with_length(today, self._name, self._opened, length)
        return LengthGoal(self._target, days.growth_on(today), self._session.settings.goals.sitting)

    async def keep(self) -> None:
        """Saves the count; a failure to do so loses nothing else."""
        if self._opened is None or self._opened == self._length:
            return
        with suppress(StudioError):
            self._days = await asyncio.to_thread(
                keep_length,
                self._session.store,
                date.today(),
                self._name,
                self._opened,
                self._length,
            )
            self._opened = self._length  # counted from here on
