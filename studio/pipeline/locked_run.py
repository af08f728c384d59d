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
from studio.story.checkpoint import Checkpoint

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
