"""How much is written in a sitting: counted while a text is open, kept when it is saved."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import date

from studio.errors import StudioError
from studio.project.author.writing_days import keep_length, writing_days
from studio.session import Session
from studio.story.writing_days import WritingDays
from studio.tui.views.typed_numbers import Goal


class DayTally:
    """One chapter's part of the day, over what the other chapters became longer."""

    def __init__(self, session: Session, chapter: int, target: int | None) -> None:
        self._session = session
        self._chapter = chapter
        self._target = target or session.settings.targets.chapter_length
        self._days = WritingDays()
        self._opened: int | None = None
        self._length = 0

    async def begin(self) -> None:
        """Reads what is known of the day."""
        self._days = await asyncio.to_thread(writing_days, self._session.store)

    def goal(self, length: int) -> Goal:
        """What the chapter and the day are held against, now that the text has this length."""
        if self._opened is None:
            self._opened = length
        self._length = length
        today = date.today()
        days = self._days.with_length(today, self._chapter, self._opened, length)
        return Goal(self._target, days.written(today), self._session.settings.goals.sitting)

    async def keep(self) -> None:
        """Keeps the count; where it cannot be, nothing else is lost."""
        if self._opened is None or self._opened == self._length:
            return
        with suppress(StudioError):
            self._days = await asyncio.to_thread(
                keep_length,
                self._session.store,
                date.today(),
                self._chapter,
                self._opened,
                self._length,
            )
