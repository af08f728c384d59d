"""Waiting for work on the whole book: its progress, and cancelling it before it saves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from studio.project.progress import Progress

PATIENCE = 0.5
"""Seconds of work before any progress is shown."""
_PAUSE = 0.1
"""Seconds between two looks at the progress."""
T = TypeVar("T")


class Left(Exception):
    """Raised when the writer cancels the work; nothing was changed."""


class Pace:
    """Receives the progress of work in a thread, and ends it once it is cancelled."""

    def __init__(self) -> None:
        self.progress: Progress | None = None
        """The progress reported last."""
        self._nobody_waits = threading.Event()

    @property
    def can_be_left(self) -> bool:
        """Whether nothing is being saved yet."""
        return self.progress is None or self.progress.phase != "saving"

    @property
    def is_left(self) -> bool:
        """Whether the work was cancelled."""
        return self._nobody_waits.is_set()

    def leave(self) -> None:
        """Cancels the work at its next text, unless it is saving already."""
        self._nobody_waits.set()

    def __call__(self, progress: Progress) -> None:
        """Records the progress at the next text; raises Left if cancelled."""
        self.progress = progress
        if self.is_left and self.can_be_left:
            raise Left


async def in_thread(work: Callable[[Pace], T], pace: Pace, show: Callable[[Progress], None]) -> T:
    """Returns the result of the work, done in a thread. If it takes long, `show` is called
    repeatedly.

    Raises Left if `pace.leave` was called, and whatever the work raises. If this coroutine is
    cancelled, so is the work, and its exceptions are dropped.
    """

    def outcome() -> tuple[T] | Exception:
        try:
            return (work(pace),)
        except Exception as error:
            return error

    task = asyncio.create_task(asyncio.to_thread(outcome))
    wait = PATIENCE
    try:
        while not (await asyncio.wait({task}, timeout=wait))[0]:
            wait = _PAUSE
            if pace.progress is not None:
                show(pace.progress)
    finally:
        pace.leave()
    ended = task.result()
    if isinstance(ended, Exception):
        raise ended
    return ended[0]
