"""Measures that follow the typing: taken in a thread once the key's effect is painted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from studio.story.lengths import Unit
from studio.text.metrics.measure import Yardstick
from studio.tui.views.typed_numbers import TextNumbers, numbers_of

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
