"""Waiting for work over the whole book: how far it is, and leaving it before it saves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from studio.project.progress import Progress

PATIENCE = 0.5
"""Seconds of work of which nothing is shown."""
_PAUSE = 0.1
"""Seconds between two looks at how far it is."""
T = TypeVar("T")


class Left(Exception):
    """The writer did not wait for the work; nothing was changed."""


class Pace:
    """Hears in a thread how far the work is, and ends it when nobody waits for it any more."""

    def __init__(self) -> None:
        self.progress: Progress | None = None
        """Heard last."""
        self._nobody_waits = threading.Event()

    @property
    def can_be_left(self) -> bool:
        """Whether nothing is being saved yet."""
        return self.progress is None or self.progress.phase != "saving"

    @property
    def is_left(self) -> bool:
        """Whether nobody waits any more."""
        return self._nobody_waits.is_set()

    def leave(self) -> None:
        """The work ends at its next text, unless it saves already."""
        self._nobody_waits.set()

    def __call__(self, progress: Progress) -> None:
        """The next text."""
        self.progress = progress
        if self.is_left and self.can_be_left:
            raise Left


async def in_thread(work: Callable[[Pace], T], pace: Pace, show: Callable[[Progress], None]) -> T:
    """What the work comes to. Where it takes long `show` is called over and over.

    Left if somebody called `pace.leave`; what the work raises comes out. Who cancels this leaves
    the work, and what that raises then is nobody's.
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
