"""Work that goes on beside a run and that nothing waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from studio.errors import StudioError

R = TypeVar("R")


class Background:
    """Jobs in threads, one for each place of a chapter: the next for a place takes over from the
    one before, whose result nobody wants any more."""

    def __init__(self) -> None:
        self._jobs: dict[int, asyncio.Task[None]] = {}

    def start(self, place: int, work: Callable[[], R], take: Callable[[R], None]) -> None:
        """Does `work` in a thread and hands its result to `take` in the loop; what cannot be read
        on the way (StudioError) leaves no result, for the run itself will say so."""
        if (earlier := self._jobs.pop(place, None)) is not None:
            earlier.cancel()
        self._jobs[place] = asyncio.create_task(_done(work, take))

    async def settle(self) -> None:
        """Returns when every job has ended: for a run that would pause now in any case."""
        await asyncio.gather(*self._jobs.values(), return_exceptions=True)

    def cancel(self) -> None:
        """Drops what has not ended; returns at once."""
        for job in self._jobs.values():
            job.cancel()
        self._jobs.clear()


async def _done(work: Callable[[], R], take: Callable[[R], None]) -> None:
    try:
        result = await asyncio.to_thread(work)
    except StudioError:
        return
    take(result)
