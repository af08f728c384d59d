"""Measures that follow what is typed: read in slices in a thread, never on the path of a key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from studio.text.live import LiveMetrics
from studio.tui.views.typed_numbers import Typed, typed

SLICE = 20_000
"""Characters that are read for the first time in one go; a key waits for none of them."""
REST = 0.15
"""Seconds in which edits are gathered."""


class TypingAlong:
    """Follows one text. Edits that come while it measures are measured together afterwards."""

    def __init__(
        self,
        begin: Callable[[], LiveMetrics],
        text: Callable[[], str],
        show: Callable[[Typed], None],
    ) -> None:
        self._begin = begin
        self._text = text
        self._show = show
        self._touched = asyncio.Event()
        self._touched.set()
        self.measured: str | None = None
        """The text whose numbers were shown last."""

    def heed(self) -> None:
        """The text is another one; costs nothing."""
        self._touched.set()

    async def follow(self) -> None:
        """Measures for as long as it is let. StudioError if the targets cannot be read."""
        live = await asyncio.to_thread(self._begin)
        while True:
            await self._touched.wait()
            self._touched.clear()
            text = self._text()
            if text != self.measured:
                await self._become(live, text)
                self._show(await asyncio.to_thread(typed, live))
                self.measured = text
            await asyncio.sleep(REST)

    async def _become(self, live: LiveMetrics, text: str) -> None:
        """What has changed, slice by slice: a whole book can be left in the middle."""
        change = await asyncio.to_thread(live.change_to, text)
        if change is None:
            return
        start, end, words = change
        done = 0
        for piece in _slices(words) if words else [""]:
            await asyncio.to_thread(live.replace, start, end, piece)
            start = end = start + len(piece)
            done += len(piece)
            if done < len(words):
                self._show(Typed(live.length, live.pack.unit, {}, done / len(words)))


def _slices(text: str) -> Iterator[str]:
    """The text in pieces that end with a paragraph, where one ends soon enough."""
    start = 0
    while start < len(text):
        end = text.find("\n\n", start + SLICE)
        end = len(text) if end < 0 else end + 2
        end = min(end, start + 2 * SLICE)
        yield text[start:end]
        start = end
