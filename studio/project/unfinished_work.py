"""Detects and cleans up the unfinished work of an interrupted run."""

from __future__ import annotations

from studio.project.lock.holder import read_lock
from studio.project.store import ProjectStore


def is_interrupted(store: ProjectStore) -> bool:
    """Whether a chapter is in progress, a question open, or a chapter's commit unfinished."""
    from studio.project.commit.rebuilt import half_renewed

    checkpoint = store.checkpoint()
    is_asking = checkpoint.pending_decision is not None or bool(checkpoint.answers)
    if checkpoint.inflight_chapter is not None or is_asking:
        return True
    return _is_half_committed(store) and not half_renewed(store.layout)


def sweep_up(store: ProjectStore) -> tuple[str, ...]:
    """Cleans up after a run that was killed at its end and left its lock or an unfinished rebuild,
    or after another program restored an old commit; returns notes about it."""
    from studio.project.commit.transaction import stray_commit
    from studio.project.commit.writing import hold_for_writing

    dead_lock = read_lock(store.layout.folder).state == "dead"
    if dead_lock or _is_half_committed(store) or stray_commit(store.layout):
        with hold_for_writing(store) as held:
            return held.commit.notes if held.commit else ()
    return ()


def _is_half_committed(store: ProjectStore) -> bool:
    from studio.project.commit.transaction import pending

    return pending(store.layout) is not None
