"""The figures that follow the typing: measures, taken in a thread once the key's effect is painted,
and the length written in a day, saved along with the text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import date

from studio.errors import StudioError
from studio.project.author.book_length import keep_length, name_among_days, writing_days
from studio.session import Session
from studio.story.lengths import Unit, unit_in
from studio.story.writing_days import WritingDays
from studio.text.metrics.measure import Yardstick
from studio.tui.views.typed_numbers import LengthGoal, TextNumbers, numbers_of

LONGEST = 0.5
"""The maximum seconds to wait for a paint."""


class LiveMeasures:
    """Shows the numbers of one text while it changes.

    One measurement runs at a time, in a thread, and begins when the change is painted: it delays no
    key, and waits for no timer. Its numbers are dropped if the text has changed by then, so wrong
    ones are never shown.
    """

    def __init__(
        self,
        yardstick: Callable[[], Yardstick],
        text: Callable[[], str],
        show: Callable[[TextNumbers], None],
        when_painted: Callable[[Callable[[], None]], object],
        unit: Unit | None = None,
    ) -> None:
        """`yardstick` reads files and runs in a thread, the others on the event loop;
        `when_painted` calls its argument once the typed text is painted. `unit` is that of the
        novel's lengths, by default that of the language."""
        self._yardstick = yardstick
        self._unit = unit
        self._text = text
        self._show = show
        self._when_painted = when_painted
        self._change = asyncio.Event()
        self._change.set()
        self.measured_text: str | None = None
        """The text of the numbers shown last."""

    def text_changed(self) -> None:
        """Notes that the text has changed, without reading it."""
        self._change.set()

    async def follow(self) -> None:
        """Measures until cancelled. Raises StudioError if the targets cannot be read."""
        yardstick = await asyncio.to_thread(self._yardstick)
        while True:
            await self._change.wait()
            await self._paint()
            self._change.clear()
            text = self._text()
            if text == self.measured_text:
                continue
            numbers = await asyncio.to_thread(numbers_of, text, yardstick, self._unit)
            if not self._change.is_set():
                self.measured_text = text
                self._show(numbers)

    async def _paint(self) -> None:
        """Waits until the last change is painted."""
        painted = asyncio.Event()
        self._when_painted(painted.set)
        with suppress(TimeoutError):  # a screen that closes by then paints no more
            async with asyncio.timeout(LONGEST):
                await painted.wait()


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

    async def begin(self, on_disk: str, in_field: str) -> None:
        """Reads what is recorded of the day. The count begins at the chapter on the disk: what was
        left unsaved and stands in the field counts too, unless it was counted when it was left."""
        store = self._session.store
        self._name = await asyncio.to_thread(name_among_days, store, self._chapter)
        self._days = await asyncio.to_thread(writing_days, store)
        with suppress(StudioError):  # the measures say what is wrong
            opened, now = await asyncio.to_thread(self._lengths, on_disk, in_field)
            self._opened = now if self._days.last_length(self._name) == now else opened

    def _lengths(self, *texts: str) -> list[int]:
        yardstick, unit = self._session.craft().yardstick(), unit_in(self._session.settings)
        return [numbers_of(text, yardstick, unit).length for text in texts]

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
