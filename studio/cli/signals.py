"""A run that a signal, or a reader who leaves, can stop at any moment without loss."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Generic, TypeVar

from click.exceptions import Exit as Leave

from studio.cli import output
from studio.cli.sigterm import STOPPING
from studio.errors import StudioError
from studio.pipeline.events import Event
from studio.pipeline.outcome import Stopped

Listener = Callable[[Event], None]
Ended = TypeVar("Ended")


class Run(Generic[Ended]):
    """One call of the engine. The first stop cancels it; later ones change nothing, so that
    a commit that has begun is finished."""

    def __init__(
        self, work: Callable[[Listener], Coroutine[Any, Any, Ended]], listener: Listener
    ) -> None:
        self._work = work
        self._listener = listener
        self._task: asyncio.Task[Ended] | None = None
        self.stopped_by: int | None = None
        """Number of the signal; SIGPIPE stands for a reader who left."""
        self._output_error: StudioError | None = None

    def go(self) -> Ended | Stopped:
        """Runs to the outcome; raises StudioError where output could not be written."""
        outcome = asyncio.run(self._run())
        if self._output_error is not None:
            raise self._output_error
        return outcome

    @property
    def exit_code(self) -> int | None:
        """128 and the number of the signal that stopped the run, if one did."""
        return None if self.stopped_by is None else 128 + self.stopped_by

    async def _run(self) -> Ended | Stopped:
        loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._work(self._hear))
        handlers = {number: signal.getsignal(number) for number in STOPPING}
        heeded = [number for number in STOPPING if handlers[number] is not signal.SIG_IGN]
        for number in heeded:
            loop.add_signal_handler(number, self._on_signal, number)
        try:
            return await self._task
        except asyncio.CancelledError:
            return Stopped(None)
        finally:
            for number in heeded:
                # asyncio alone would put back the system's handlers, not the command's.
                loop.remove_signal_handler(number)
                signal.signal(number, handlers[number])

    def _on_signal(self, number: int) -> None:
        if number == signal.SIGHUP:
            output.hush()  # the terminal is gone; writing to it would only fail
        if self.stopped_by is not None:
            with suppress(Leave, StudioError):
                output.tell("Stopping; whatever is being saved is saved first.")
        self._stop(number)

    def _stop(self, number: int) -> None:
        if self.stopped_by is None:
            self.stopped_by = number
            if self._task is not None:
                self._task.cancel()

    def _hear(self, event: Event) -> None:
        """Passes an event on; a listener that fails stops the run instead of breaking it."""
        try:
            self._listener(event)
        except Leave:
            self._stop(signal.SIGPIPE)
        except StudioError as error:
            self._output_error = error
            self._stop(signal.SIGPIPE)
