"""Measures how long the event loop blocks, with a task that wakes every 2 ms."""

from __future__ import annotations

import asyncio
import statistics
import time

WAKE = 0.002
ARRIVAL = 0.001
"""The interval in seconds between simulated arrivals; a stall counts once per arrival it delays, so
that long stalls weigh more."""


class Probe:
    """Collects stalls in seconds, and the CPU time used."""

    def __init__(self) -> None:
        self._stalls: list[float] = []
        self._own: list[float] = []
        self._task: asyncio.Task[None] | None = None
        self._begun = self._cpu = 0.0

    def start(self) -> None:
        """Begins to measure."""
        self._begun, self._cpu = time.perf_counter(), time.process_time()
        self._task = asyncio.create_task(self._look())

    def stop(self) -> dict[str, float]:
        """Returns the CPU share, and the median, p99 and longest stall in seconds.

        `own p99` and `own max` are the CPU time that the program itself used in a stall: on a busy
        machine, the rest was spent waiting for other programs.
        """
        assert self._task is not None
        self._task.cancel()
        share = (time.process_time() - self._cpu) / (time.perf_counter() - self._begun)
        spread, own = sorted(self._stalls), sorted(self._own)
        return {
            "own p99": own[int(len(own) * 0.99)],
            "own max": own[-1],
            "cpu": share,
            "p50": statistics.median(spread),
            "p99": spread[int(len(spread) * 0.99)],
            "max": spread[-1],
        }

    async def _look(self) -> None:
        while True:
            before, cpu = time.perf_counter(), time.process_time()
            await asyncio.sleep(WAKE)
            stall = max(0.0, time.perf_counter() - before - WAKE)
            used = min(stall, time.process_time() - cpu)
            for late, seen in ((stall, self._stalls), (used, self._own)):
                seen.append(late)
                while (late := late - ARRIVAL) > 0:
                    seen.append(late)
