"""Between the app's loop and the engine: runs and changes in threads, events back in batches.

The engine waits for disks and models, so nothing of it runs on the loop of
the app. A run has a thread and a loop of its own; its events reach the app at
most once a frame.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from studio.errors import StudioError
from studio.tui.runtime.app_loop import AppLoop, cancel_from_outside
from studio.tui.runtime.drawing import undivided

if TYPE_CHECKING:
    from studio.pipeline.events import Event
    from studio.pipeline.outcome import Outcome
    from studio.session import Session, WriteOrder

P = ParamSpec("P")
R = TypeVar("R")
FRAME = 1 / 30
"""Seconds between two batches of events."""
_PATIENCE = 20.0
"""Seconds a run has to put everything away when the app ends by a fault."""
_HOLDS = 2
"""How often, half a frame each, keys may put a batch off: held down, they would for ever."""
Kind = Literal["write", "resume"]
Work = Callable[[Callable[["Event"], None]], Coroutine[Any, Any, Any]]
"""Something that takes a listener to its events and ends with an outcome."""


class Bridge:
    """The one worker of the app. Made, called and heard on the app's loop."""

    def __init__(
        self,
        session: Session,
        on_events: Callable[[Sequence[Event]], None],
        on_outcome: Callable[[Outcome], None],
    ) -> None:
        self.session = session
        self._on_events = on_events
        self._on_outcome = on_outcome
        self._app = AppLoop()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="novel")
        self._events: deque[Event] = deque()
        self._due = False
        self._held_until = 0.0
        self._thread: threading.Thread | None = None
        self._work: asyncio.Task[Outcome] | None = None
        self._stop_wanted = False
        self._halted = False
        self._closed = False

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._thread is not None

    async def call(self, work: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        """Does something with the session off the loop; calls follow one another.

        Raises what `work` raises. After `close` nobody waits for an answer any
        more, and the caller is cancelled.
        """
        if self._closed:
            raise asyncio.CancelledError
        return await self._app.in_thread(self._pool, lambda: work(*args, **options))

    async def read(self, work: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        """Only looks, beside what `call` does and without waiting for it; else like it."""
        if self._closed:
            raise asyncio.CancelledError
        result = await self._app.in_thread(None, lambda: work(*args, **options))
        if self._closed:
            raise asyncio.CancelledError
        return result

    def start(self, kind: Kind, order: WriteOrder) -> None:
        """Begins a run; a second one is refused while one is under way."""
        method = self.session.write if kind == "write" else self.session.resume
        self.begin(lambda hear: method(order, hear), order.chapter)

    def begin(self, work: Work, chapter: int | None = None) -> None:
        """Begins whatever tells of itself by events and ends with an outcome."""
        if self.running:
            raise RuntimeError("a run is under way")
        self._stop_wanted = False
        thread = threading.Thread(
            target=self._run, args=(work, chapter), name="chapter", daemon=True
        )
        self._thread = thread
        thread.start()

    def stop(self) -> None:
        """Stops the run at once; what it received so far is kept by the engine."""
        self._stop_wanted = True
        if self._work is not None:
            cancel_from_outside(self._work)

    def hold(self) -> None:
        """Lets a key be painted before the next batch (performance P4)."""
        self._held_until = self._app.time() + FRAME / 2

    async def close(self) -> None:
        """Stops what runs and waits until it has put everything away."""
        self.stop()
        if (thread := self._thread) is not None:
            await self._app.in_thread(None, thread.join)
            await asyncio.sleep(0)  # its outcome was on the way before it ended
        self._closed = True
        self._pool.shutdown(wait=True)

    def halt(self) -> None:
        """Stops what runs and waits for it on the spot, for an app that cannot go on (T6).

        Nothing is heard of it afterwards.
        """
        self._halted = True
        self.stop()
        if (thread := self._thread) is not None:
            thread.join(_PATIENCE)

    # In the thread of the run

    def _run(self, work: Work, chapter: int | None) -> None:
        from studio.pipeline.outcome import Failed, Stopped
        from studio.tui.runtime.fault_report import kept_fault

        with suppress(RuntimeError):  # the app is going, and nobody calls any more
            self._pool.submit(lambda: None).result()  # a call before it may hold the novel
        with asyncio.Runner() as runner:
            try:
                outcome = runner.run(self._work_on(work))
            except StudioError as error:
                outcome = Failed(error.problem)
            except asyncio.CancelledError:
                outcome = Stopped(chapter)
            except BaseException as error:  # whatever it was, the app hears that the run is over
                outcome = Failed(kept_fault(error))
            # Before the loop closes, which waits for threads: a name that is looked up, a model
            # that loads. Nothing they come to is asked for any more.
            self._app.call(self._over, outcome)

    async def _work_on(self, work: Work) -> Any:
        task = self._work = asyncio.ensure_future(work(self._hear))
        if self._stop_wanted:
            task.cancel()
        return await task

    def _hear(self, event: Event) -> None:
        self._events.append(event)
        if not self._due:
            self._due = True
            self._app.call(self._app.call_in, FRAME, self._deliver)

    # On the loop of the app

    def _deliver(self, holds: int = _HOLDS) -> None:
        if holds and self._app.time() < self._held_until:
            self._app.call_in(FRAME / 2, self._deliver, holds - 1)
            return
        self._due = False
        self._pass_on()

    def _pass_on(self) -> None:
        if self._halted:
            return
        batch = [self._events.popleft() for _ in range(len(self._events))]
        if batch:
            with undivided():
                self._on_events(batch)

    def _over(self, outcome: Outcome) -> None:
        self._work = self._thread = None
        if self._halted:
            return
        try:
            self._pass_on()
        finally:
            self._on_outcome(outcome)
