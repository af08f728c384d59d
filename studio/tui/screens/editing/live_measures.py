"""Measures that follow what is typed: taken in a thread after a pause, never on a key's path."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from studio.text.metrics.metrics import Yardstick
from studio.tui.views.typed_numbers import TextNumbers, numbers_of

PAUSE = 0.02
"""Seconds without a key after which a text is measured."""


class LiveMeasures:
    """Shows the numbers of one text while it changes.

    One measurement runs at a time, in a thread. Its numbers are dropped if the
    text changed meanwhile: what is shown was true when the writer paused.
    """

    def __init__(
        self,
        yardstick: Callable[[], Yardstick],
        text: Callable[[], str],
        show: Callable[[TextNumbers], None],
    ) -> None:
        """`yardstick` reads files and runs in a thread; `text` and `show` run in the loop."""
        self._yardstick = yardstick
        self._text = text
        self._show = show
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
            await self._pause()
            text = self._text()
            if text == self.measured_text:
                continue
            numbers = await asyncio.to_thread(numbers_of, text, yardstick)
            if not self._change.is_set():
                self.measured_text = text
                self._show(numbers)

    async def _pause(self) -> None:
        """Waits until nothing has changed for as long as a pause lasts."""
        while self._change.is_set():
            self._change.clear()
            await asyncio.sleep(PAUSE)
