"""Connects the app's loop to the engine: runs and changes in threads, events back in batches.

The engine blocks on disks and models, so no part of it runs on the loop of the app. Each run has a
thread and a loop of its own; its events reach the app at most once per frame.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from studio.errors import StudioError
from studio.tui.runtime.app_loop import AppLoop, cancel_from_outside
from studio.tui.runtime.drawing import compute_undivided

if TYPE_CHECKING:
    from studio.pipeline.events import Event
    from studio.pipeline.outcome import Outcome
    from studio.session import Session, WriteOrder

P = ParamSpec("P")
R = TypeVar("R")
FRAME = 1 / 30
"""The number of seconds between two batches of events."""
_PATIENCE = 20.0
"""The number of seconds a run has to save its work when the app ends because of a fault."""
_HOLDS = 2
"""How often keys may postpone a batch, by half a frame each time. Without a limit, a key held down
would postpone it forever."""
RunKind = Literal["write", "resume"]
RunWork = Callable[[Callable[["Event"], None]], Coroutine[Any, Any, Any]]
"""A function that takes a listener for events and returns a coroutine that ends with an outcome."""


class Bridge:
    """The only worker of the app. It is created and called on the app's loop, and calls back on
    it."""

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
        self.under_way = 0
        """The changes that are not done, and the readings of what they changed."""

    @property
    def is_running(self) -> bool:
        """Whether a run is in progress."""
        return self._thread is not None

    async def call(self, work: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        """Runs a function on the session off the loop; calls are executed one after another.

        Raises what `work` raises. After `close` the caller is cancelled, because nobody waits for
        the result any more.
        """
        if self._closed:
            raise asyncio.CancelledError
        return await self._app.in_thread(self._pool, lambda: work(*args, **options))

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Counts as under way what is done within."""
        self.under_way += 1
        try:
            yield
        finally:
            self.under_way -= 1

    async def read(self, work: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        """Runs a read-only function without waiting for `call`; otherwise it behaves like
        `call`."""
        if self._closed:
            raise asyncio.CancelledError
        result = await self._app.in_thread(None, lambda: work(*args, **options))
        if self._closed:
            raise asyncio.CancelledError
        return result

    def start(self, kind: RunKind, order: WriteOrder) -> None:
        """Starts a run; raises RuntimeError if one is already in progress."""
        method = self.session.write if kind == "write" else self.session.resume
        self.begin(lambda hear: method(order, hear), order.chapter)

    def begin(self, work: RunWork, chapter: int | None = None) -> None:
        """Starts any work that reports events and ends with an outcome; raises RuntimeError if a
        run is already in progress."""
        if self.is_running:
            raise RuntimeError("a run is under way")
        self._stop_wanted = False
        thread = threading.Thread(
            target=self._run, args=(work, chapter), name="chapter", daemon=True
        )
        self._thread = thread
        thread.start()

    def stop(self) -> None:
        """Stops the run at once; the engine keeps what has been received so far."""
        self._stop_wanted = True
        if self._work is not None:
            cancel_from_outside(self._work)

    def hold(self) -> None:
        """Postpones the next batch so that the effect of a key is painted first (performance
        P4)."""
        self._held_until = self._app.time() + FRAME / 2

    async def close(self) -> None:
        """Stops the run and waits until it has saved its work."""
        self.stop()
        if (thread := self._thread) is not None:
            await self._app.in_thread(None, thread.join)
            await asyncio.sleep(0)  # the outcome was scheduled before the thread ended
        self._closed = True
        self._pool.shutdown(wait=True)

    def halt(self) -> None:
        """Stops the run and blocks until it ends, for an app that cannot go on (T6).

        No events and no outcome are delivered afterwards.
        """
        self._halted = True
        self.stop()
        if (thread := self._thread) is not None:
            thread.join(_PATIENCE)

    # These methods run in the thread of the run.

    def _run(self, work: RunWork, chapter: int | None) -> None:
        from studio.pipeline.outcome import Failed, Stopped
        from studio.tui.runtime.fault_report import kept_fault

        with suppress(RuntimeError):  # the pool is shut down, the app is ending
            self._pool.submit(lambda: None).result()  # an earlier call may still hold the novel
        with asyncio.Runner() as runner:
            try:
                outcome = runner.run(self._work_on(work))
            except StudioError as error:
                outcome = Failed(error.problem)
            except asyncio.CancelledError:
                outcome = Stopped(chapter)
            except BaseException as error:  # whatever it is, the app must learn of the end
                outcome = Failed(kept_fault(error))
            # Reported before the loop is closed: closing waits for threads, such as a name lookup
            # or a model that is being loaded, whose results nobody needs any more.
            self._app.call(self._over, outcome)

    async def _work_on(self, work: RunWork) -> Any:
        task = self._work = asyncio.ensure_future(work(self._hear))
        if self._stop_wanted:
            task.cancel()
        return await task

    def _hear(self, event: Event) -> None:
        self._events.append(event)
        if not self._due:
            self._due = True
            self._app.call(self._app.call_in, FRAME, self._deliver)

    # These methods run on the loop of the app.

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
            with compute_undivided():
                self._on_events(batch)

    def _over(self, outcome: Outcome) -> None:
        self._work = self._thread = None
        if self._halted:
            return
        try:
            self._pass_on()
        finally:
            self._on_outcome(outcome)
