"""A run on the whole book: with the lock held, every event in its log (logs/pipeline.log, one line
each, for later diagnosis), and never raising for an error that the writer can cause."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from studio.errors import StudioError
from studio.messages import said
from studio.pipeline.events import (
    CommittedEvent,
    DecisionMade,
    DecisionRequired,
    Emit,
    Emitter,
    ErrorEvent,
    Event,
    SceneEvent,
    StageEvent,
    WarningEvent,
)
from studio.pipeline.outcome import Failed, Stopped, outcome_of
from studio.project.commit.writing import hold_for_writing
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint


def _of_scene(event: SceneEvent) -> str:
    """Returns what a finished scene was made with (A7)."""
    if event.estimated_tokens is None:
        return ""
    words = f": about {event.estimated_tokens} tokens"
    words += f", exemplars {', '.join(event.exemplars)}" if event.exemplars else ""
    return words + (f" ({event.generation})" if event.generation else "")


_WORDINGS: dict[type[Event], Callable[[Any], str]] = {
    StageEvent: lambda e: f"{e.name} {e.status}" + (f": {e.note}" if e.note else ""),
    SceneEvent: lambda e: f"scene {e.number} {e.status}{_of_scene(e)}",
    WarningEvent: lambda e: f"warning: {e.message}",
    ErrorEvent: lambda e: f"error ({e.kind}): {e.message}",
    DecisionRequired: lambda e: f"asks {e.kind}: {', '.join(e.options)} ({e.id})",
    DecisionMade: lambda e: f"{e.by} chose {e.option} for {e.id}",
    CommittedEvent: lambda e: f"committed “{e.title}” as {e.commit_id}",
}
"""The log line of each event that is logged. Streams, metrics and money are recorded elsewhere;
the log shows the course of events."""


class RunLog:
    """Passes events on and writes the course of a run down when it is over."""

    def __init__(self, store: ProjectStore, emit: Emit) -> None:
        self._store = store
        self._emit = emit
        self._lines: list[str] = []
        self._last = Event(type="")

    def __call__(self, event: Event) -> None:
        """Logs and passes on one event, as any listener does."""
        self._emit(event)
        self._last = event
        wording = _WORDINGS.get(type(event))
        if wording is not None:
            words = " ".join(wording(event).split())
            self._lines.append(f"{event.ts} chapter {event.chapter or '-'} {words}\n")

    @contextmanager
    def record(self) -> Iterator[None]:
        """Records everything that happens inside, and writes it to the log at the end; used while
        the lock is held.

        A log that cannot be written causes a warning and does not affect the work done.
        """
        try:
            yield
        finally:
            try:
                if self._lines:
                    self._store.keep_log("".join(self._lines))
            except StudioError as error:
                self._emit(self._not_kept(error.problem.message))
            self._lines.clear()

    def _not_kept(self, why: str) -> WarningEvent:
        last = self._last
        message = said("What happened in this run is not in the log. {why}", why=why)
        return WarningEvent(message=message, seq=last.seq + 1, ts=last.ts, chapter=last.chapter)


Ended = TypeVar("Ended")


async def locked_run(
    store: ProjectStore, listen: Emit, work: Callable[[Emitter, ProjectLock], Awaitable[Ended]]
) -> Ended | Failed | Stopped:
    """Runs `work` and returns its outcome. Failed (exit 3) while another process writes the
    novel."""
    log = RunLog(store, listen)
    emit = Emitter(log)

    async def locked() -> Ended:
        with hold_for_writing(store, say=emit.warn) as held, log.record():
            ended = await work(emit, held.lock)
            forget_failure(store)
            return ended

    return await outcome_of(locked(), emit)


def forget_failure(store: ProjectStore) -> Checkpoint:
    """Strikes out why the last run of the chapter in flight failed, once it goes on or a later run
    of any kind has done its work: what stood in the way, a key or a server, does so no longer.
    Returns the checkpoint as it stands then. Call this only while the novel is locked."""
    checkpoint = store.checkpoint()
    without = checkpoint.without_failure()
    return checkpoint if without is checkpoint else store.save_checkpoint(without)
