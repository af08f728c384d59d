"""When what is being typed is kept aside, so that a kill takes a few seconds of it at most."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

from textual.message_pump import MessagePump
from textual.timer import Timer

PAUSE = 1.0
"""Seconds without a key after which it is kept."""
LONGEST = 5.0
"""Seconds of typing on and on after which it is kept as well."""
_AT_ONCE = 0.01


class TypingPause:
    """The pause that a writer makes, or that is made for one who makes none."""

    def __init__(self, screen: MessagePump, keep: Callable[[], Awaitable[Any]]) -> None:
        self._screen = screen
        self._keep = keep
        self._timer: Timer | None = None
        self._since = 0.0
        """On the monotonic clock: when the first letter was typed that is not kept yet."""

    def typed(self) -> None:
        """Something was typed."""
        now = monotonic()
        if self._timer is None:
            self._since = now
        else:
            self._timer.stop()
        wait = min(PAUSE, max(_AT_ONCE, self._since + LONGEST - now))
        self._timer = self._screen.set_timer(wait, self._over)

    def stop(self) -> None:
        """Nothing more is to be kept."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    async def _over(self) -> None:
        self._timer = None
        await self._keep()
