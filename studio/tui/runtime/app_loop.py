"""The one door between the app's loop and everything that runs outside it.

Textual finds the app by a context variable, and a timer made where that is not
set fails at its first tick. Whatever a thread, a signal or the loop itself calls
would run in a context of its own; what comes through this door runs in the one
the door was made in. A test holds that there is no other way (tests/architecture).
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
    """The loop of the app, with the context of the app; made on the loop by whoever needs it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._context = copy_context()

    def time(self) -> float:
        """The clock of the loop, in seconds."""
        return self._loop.time()

    def call(self, callback: Callable[..., object], *args: Any) -> None:
        """Calls back on the loop, from whichever thread; when the app is gone, nobody is called."""
        with suppress(RuntimeError):  # its loop is closed
            self._loop.call_soon_threadsafe(callback, *args, context=self._context)

    def call_in(self, seconds: float, callback: Callable[..., object], *args: Any) -> None:
        """Calls back after a while. Only on the loop itself."""
        self._loop.call_later(seconds, callback, *args, context=self._context)

    async def in_thread(self, pool: Executor | None, work: Callable[[], R]) -> R:
        """What `work` returns or raises, done in a thread of the pool, else in one of the loop's.

        Beside the app's context: `work` calls nothing of the app but through this door.
        """
        return await self._loop.run_in_executor(pool, work)

    def on_signal(self, number: int, callback: Callable[..., object], *args: Any) -> None:
        """Calls back on the loop when the process gets a signal."""
        self._loop.add_signal_handler(number, self.call, callback, *args)

    def on_fault(self, callback: Callable[[Exception], object]) -> None:
        """Calls back with what fails in a callback of the loop."""

        def failed(loop: asyncio.AbstractEventLoop, report: dict[str, Any]) -> None:
            if isinstance(error := report.get("exception"), Exception):
                self.call(callback, error)

        self._loop.set_exception_handler(failed)


def close_when_over(work: Coroutine[Any, Any, Any], task: asyncio.Task[Any]) -> None:
    """Closes what a task ran; cancelled before its first step, Python would say that nobody
    awaited it."""
    task.add_done_callback(lambda _task: work.close(), context=copy_context())


def cancel_from_outside(task: asyncio.Task[Any]) -> None:
    """Cancels a task that runs on the loop of another thread; nothing, when that is over."""
    with suppress(RuntimeError):  # its loop is closed
        task.get_loop().call_soon_threadsafe(task.cancel)
