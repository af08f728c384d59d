"""Makes a run stoppable, by a signal or a departing reader, at any moment without loss."""

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
from studio.messages import said
from studio.pipeline.events import Event
from studio.pipeline.outcome import Stopped

EventListener = Callable[[Event], None]
Ended = TypeVar("Ended")


class StoppableCall(Generic[Ended]):
    """One call of the engine. The first stop cancels it; later ones have no effect, so that a
    commit in progress is completed."""

    def __init__(
        self, work: Callable[[EventListener], Coroutine[Any, Any, Ended]], listener: EventListener
    ) -> None:
        self._work = work
        self._listener = listener
        self._task: asyncio.Task[Ended] | None = None
        self.stopped_by: int | None = None
        """The number of the signal; SIGPIPE stands for a reader that is gone."""
        self._output_error: StudioError | None = None

    def go(self) -> Ended | Stopped:
        """Runs until the outcome; raises StudioError where output could not be written."""
        outcome = asyncio.run(self._run())
        if self._output_error is not None:
            raise self._output_error
        return outcome

    @property
    def exit_code(self) -> int | None:
        """128 plus the number of the signal that stopped the run, or None."""
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
                # asyncio alone would restore the system's default handlers, not those of the
                # command.
                loop.remove_signal_handler(number)
                signal.signal(number, handlers[number])

    def _on_signal(self, number: int) -> None:
        if number == signal.SIGHUP:
            output.hush()  # the terminal is gone, so writing would fail
        if self.stopped_by is not None:
            with suppress(Leave, StudioError):
                output.tell(said("Stopping; whatever is being saved is saved first."))
        self._stop(number)

    def _stop(self, number: int) -> None:
        if self.stopped_by is None:
            self.stopped_by = number
            if self._task is not None:
                self._task.cancel()

    def _hear(self, event: Event) -> None:
        """Passes an event to the listener; a listener that fails stops the
        run instead of crashing it."""
        try:
            self._listener(event)
        except Leave:
            self._stop(signal.SIGPIPE)
        except StudioError as error:
            self._output_error = error
            self._stop(signal.SIGPIPE)
