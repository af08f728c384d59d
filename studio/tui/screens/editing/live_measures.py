"""Measures that follow what is typed: taken in a thread once the key is on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from studio.text.metrics.metrics import Yardstick
from studio.tui.views.typed_numbers import TextNumbers, numbers_of

LONGEST = 0.5
"""Seconds that a paint is waited for."""


class LiveMeasures:
    """Shows the numbers of one text while it changes.

    One measurement runs at a time, in a thread, and begins when the change is
    painted: it keeps no key from the screen, and waits for no clock. Its numbers
    are dropped if the text changed meanwhile, so none stand there that were
    never true.
    """

    def __init__(
        self,
        yardstick: Callable[[], Yardstick],
        text: Callable[[], str],
        show: Callable[[TextNumbers], None],
        when_painted: Callable[[Callable[[], None]], object],
    ) -> None:
        """`yardstick` reads files and runs in a thread, the others in the loop; `when_painted`
        calls what it is given once what was typed is on the screen."""
        self._yardstick = yardstick
        self._text = text
        self._show = show
        self._when_painted = when_painted
        self._change = asyncio.Event()
        self._change.set()
        self.measured_text: str | None = None
        """The text whose numbers were shown last."""

    def text_changed(self) -> None:
        """Notes that the text is another one, without reading it."""
        self._change.set()

    async def follow(self) -> None:
        """Measures until it is cancelled. StudioError if the targets cannot be read."""
        yardstick = await asyncio.to_thread(self._yardstick)
        while True:
            await self._change.wait()
            await self._paint()
            self._change.clear()
            text = self._text()
            if text == self.measured_text:
                continue
            numbers = await asyncio.to_thread(numbers_of, text, yardstick)
            if not self._change.is_set():
                self.measured_text = text
                self._show(numbers)

    async def _paint(self) -> None:
        """Waits until what changed last is on the screen."""
        painted = asyncio.Event()
        self._when_painted(painted.set)
        with suppress(TimeoutError):  # a screen that goes meanwhile paints nothing more
            async with asyncio.timeout(LONGEST):
                await painted.wait()
