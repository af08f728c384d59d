"""A run on the whole book: logged, with the lock held, and never raising for an error that the
writer can cause."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from studio.pipeline.events import Emit, Emitter
from studio.pipeline.log import RunLog
from studio.pipeline.outcome import Failed, Stopped, outcome_of
from studio.project.commit.writing import hold_for_writing
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore

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
            return await work(emit, held.lock)

    return await outcome_of(locked(), emit)
