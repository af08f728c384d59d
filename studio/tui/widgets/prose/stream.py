"""Streamed text on its way into a view: all text that arrives within a frame is drawn together."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from textual.message_pump import MessagePump
from textual.timer import Timer

FRAME = 1 / 30
"""The least number of seconds between two drawings of streamed text."""


class ProseStream:
    """Text deltas that wait for the next frame; a key may postpone them by a frame."""

    def __init__(self, view: MessagePump, draw: Callable[[str], None]) -> None:
        self._view = view
        self._draw = draw
        self._deltas: list[str] = []
        self._draw_at = 0.0
        """The time of the next drawing of streamed text, on the clock of `monotonic`."""
        self._came_at = 0.0
        """The arrival time of the oldest waiting delta."""
        self._timer: Timer | None = None

    @property
    def waits(self) -> bool:
        """Whether text waits to be drawn."""
        return bool(self._deltas)

    def clear(self) -> None:
        """Discards the waiting text."""
        self._deltas.clear()

    def append(self, delta: str) -> None:
        """Accepts text and draws it at once or with the next frame."""
        now = monotonic()
        if not self._deltas:
            self._came_at = now
        self._deltas.append(delta)
        if now >= self._draw_at:  # even if a timer is already set for the drawing
            self.flush()
        elif self._timer is None:
            self._timer = self._view.set_timer(self._draw_at - now, self._tick)

    def hold_back(self) -> None:
        """Postpones the stream by a frame, so that the effect of a key is drawn first.

        Text waits for two frames at most, however fast keys follow one another.
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
        """Draws the waiting text."""
        self._draw_at = monotonic() + FRAME
        text = "".join(self._deltas)
        self._deltas.clear()
        if text:
            self._draw(text)
