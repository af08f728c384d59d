"""The single gateway between the app's event loop and everything that runs outside it.

Textual finds the app through a context variable, and a timer created where that variable is not set
fails at its first tick. Callbacks from a thread, a signal or the loop itself would run in another
context; those scheduled here run in the context in which the `AppLoop` was created. A test ensures
that there is no other way (tests/architecture).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar

R = TypeVar("R")


class AppLoop:
    """The app's event loop together with the app's context; create it on the loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._context = copy_context()

    def time(self) -> float:
        """Returns the time of the loop's clock, in seconds."""
        return self._loop.time()

    def call(self, callback: Callable[..., object], *args: Any) -> None:
        """Schedules a callback on the loop, from any thread; does nothing once the app has
        ended."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(callback, *args, context=self._context)

    def call_in(self, seconds: float, callback: Callable[..., object], *args: Any) -> None:
        """Schedules a callback after a delay. Call it on the loop only."""
        self._loop.call_later(seconds, callback, *args, context=self._context)

    async def in_thread(self, pool: Executor | None, work: Callable[[], R]) -> R:
        """Runs `work` in a thread of the pool, or of the loop's own, and returns or raises its
        result.

        `work` runs outside the app's context and may reach the app only through an `AppLoop`.
        """
        return await self._loop.run_in_executor(pool, work)

    def on_signal(self, number: int, callback: Callable[..., object], *args: Any) -> None:
        """Schedules a callback on the loop whenever the process receives a signal."""
        self._loop.add_signal_handler(number, self.call, callback, *args)

    def on_fault(self, callback: Callable[[Exception], object]) -> None:
        """Calls back with every exception that escapes from a callback of the loop."""

        def failed(loop: asyncio.AbstractEventLoop, report: dict[str, Any]) -> None:
            if isinstance(error := report.get("exception"), Exception):
                self.call(callback, error)

        self._loop.set_exception_handler(failed)


def close_when_over(work: Coroutine[Any, Any, Any], task: asyncio.Task[Any]) -> None:
    """Closes the coroutine of a task when the task is done. If a task is cancelled before its first
    step, Python would otherwise warn that the coroutine was never awaited."""
    task.add_done_callback(lambda _task: work.close(), context=copy_context())


def cancel_from_outside(task: asyncio.Task[Any]) -> None:
    """Cancels a task that runs on the loop of another thread; does nothing if that loop is
    closed."""
    with suppress(RuntimeError):  # the loop is closed
        task.get_loop().call_soon_threadsafe(task.cancel)
