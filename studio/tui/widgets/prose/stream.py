"""Text on its way into a view: what comes within a frame is drawn together."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from textual.message_pump import MessagePump
from textual.timer import Timer

FRAME = 1 / 30
"""Seconds between two drawings of streamed text."""


class ProseStream:
    """Deltas that wait for their frame; a key may ask them to wait for the next."""

    def __init__(self, view: MessagePump, draw: Callable[[str], None]) -> None:
        self._view = view
        self._draw = draw
        self._deltas: list[str] = []
        self._draw_at = 0.0
        """When streamed text is drawn next, by the clock of `monotonic`."""
        self._came_at = 0.0
        """When the first of what waits came."""
        self._timer: Timer | None = None

    @property
    def waits(self) -> bool:
        """Whether text waits to be drawn."""
        return bool(self._deltas)

    def clear(self) -> None:
        """Lets go of what waits."""
        self._deltas.clear()

    def append(self, delta: str) -> None:
        """Takes text; draws it now, or with the next frame."""
        now = monotonic()
        if not self._deltas:
            self._came_at = now
        self._deltas.append(delta)
        if now >= self._draw_at:  # whether or not a timer was to do it
            self.flush()
        elif self._timer is None:
            self._timer = self._view.set_timer(self._draw_at - now, self._tick)

    def hold_back(self) -> None:
        """Lets the stream wait a frame, so that what a key did is drawn first.

        Text waits two frames at most, however closely keys follow one another.
        """
        self._draw_at = monotonic() + FRAME
        if self._deltas:
            self._draw_at = min(self._draw_at, self._came_at + 2 * FRAME)

    def _tick(self) -> None:
        self._timer = None
        wait = self._draw_at - monotonic()
        if wait > 0 and self._deltas:
            self._timer = self._view.set_timer(wait, self._tick)
        else:
            self.flush()

    def flush(self) -> None:
        """Draws what waits."""
        self._draw_at = monotonic() + FRAME
        text = "".join(self._deltas)
        self._deltas.clear()
        if text:
            self._draw(text)
