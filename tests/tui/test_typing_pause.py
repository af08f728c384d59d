"""What is typed without a pause is kept aside all the same: a kill takes a few seconds at most."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from studio.tui.runtime import left_words
from studio.tui.runtime.left_words import LONGEST, PAUSE, TypingPause


class Timers:
    """A screen whose timers go when the test says so, and a clock beside it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []
        self.stopped = 0
        self.over: Callable[[], Awaitable[None]] | None = None

    def set_timer(self, wait: float, over: Callable[[], Awaitable[None]]) -> Timers:
        self.waits.append(wait)
        self.over = over
        return self

    def stop(self) -> None:
        self.stopped += 1


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    made = Timers()
    monkeypatch.setattr(left_words, "monotonic", lambda: made.now)
    return made


def test_who_types_on_and_on_has_it_kept_no_later_than_the_longest(timers: Timers) -> None:
    moments: list[float] = []

    async def keep() -> Any:
        moments.append(timers.now)

    pause = TypingPause(timers, keep)  # type: ignore[arg-type]
    pause.note_typing()
    while timers.now < LONGEST * 2:  # a key each tenth of a second, never a pause
        timers.now += 0.1
        if timers.waits[-1] < 0.1:
            assert timers.over is not None
            asyncio.run(timers.over())
        pause.note_typing()
    assert timers.waits[0] == PAUSE
    assert len(moments) == 1
    assert moments[0] <= LONGEST + 0.2


def test_nothing_is_kept_after_the_end(timers: Timers) -> None:
    async def keep() -> Any:
        raise AssertionError

    pause = TypingPause(timers, keep)  # type: ignore[arg-type]
    pause.note_typing()
    pause.stop()
    assert timers.stopped == 1
