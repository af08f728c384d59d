"""Decides when typed text is saved as a draft, so that a crash loses a few seconds at most."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer

PAUSE = 1.0
"""The number of seconds without a key after which the text is saved."""
LONGEST = 5.0
"""The number of seconds of continuous typing after which the text is saved as well."""
_AT_ONCE = 0.01


class TypingPause:
    """Saves typed text when the writer pauses, or after `LONGEST` seconds of typing without a
    pause."""

    def __init__(self, screen: MessagePump, keep: Callable[[], Awaitable[Any]]) -> None:
        self._screen = screen
        self._keep = keep
        self._timer: Timer | None = None
        self._since = 0.0
        """The time, on the monotonic clock, of the first key that is not saved yet."""

    def note_typing(self) -> None:
        """Notes that something was typed and schedules the next save."""
        now = monotonic()
        if self._timer is None:
            self._since = now
        else:
            self._timer.stop()
        wait = min(PAUSE, max(_AT_ONCE, self._since + LONGEST - now))
        self._timer = self._screen.set_timer(wait, self._over)

    def stop(self) -> None:
        """Cancels the scheduled save."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    async def _over(self) -> None:
        self._timer = None
        await self._keep()
