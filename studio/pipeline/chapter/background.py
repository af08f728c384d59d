"""Work that runs beside a pipeline run and that nothing waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from studio.errors import StudioError

R = TypeVar("R")


class Background:
    """Jobs in threads, one for each place of a chapter. A new job for a place replaces the
    earlier one, whose result is dropped."""

    def __init__(self) -> None:
        self._jobs: dict[int, asyncio.Task[None]] = {}

    def start(self, place: int, work: Callable[[], R], take: Callable[[R], None]) -> None:
        """Runs `work` in a thread and passes its result to `take` in the event loop. A file that
        cannot be read on the way (StudioError) drops the result, because the run itself will
        report it."""
        if (earlier := self._jobs.pop(place, None)) is not None:
            earlier.cancel()
        self._jobs[place] = asyncio.create_task(_done(work, take))

    async def settle(self) -> None:
        """Waits for every job to end; for a run that would pause now in any case."""
        await asyncio.gather(*self._jobs.values(), return_exceptions=True)

    def cancel(self) -> None:
        """Drops the jobs that have not ended; returns at once."""
        for job in self._jobs.values():
            job.cancel()
        self._jobs.clear()


async def _done(work: Callable[[], R], take: Callable[[R], None]) -> None:
    try:
        result = await asyncio.to_thread(work)
    except StudioError:
        return
    take(result)
