"""What a run that ended before its time left to do, and to clear away."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from studio.project.lock.holder import read_lock
from studio.project.store import ProjectStore

if TYPE_CHECKING:
    from studio.project.commit.writing import Writing


def finished_first(store: ProjectStore) -> AbstractContextManager[Writing]:
    """`writing`, imported when somebody writes: what she decides now is about the book as an
    interrupted commit will leave it."""
    from studio.project.commit.writing import writing

    return writing(store)


def is_interrupted(store: ProjectStore) -> bool:
    """Whether a chapter is in work, a question open, or a chapter's commit half done."""
    from studio.project.commit.rebuilt import half_renewed

    checkpoint = store.checkpoint()
    is_asking = checkpoint.pending_decision is not None or bool(checkpoint.answers)
    if checkpoint.inflight_chapter is not None or is_asking:
        return True
    return _is_half_committed(store) and not half_renewed(store.layout)


def sweep_up(store: ProjectStore) -> tuple[str, ...]:
    """A run that was killed as it ended may have left its lock, a rebuild half a commit, and
    another program may have brought back an old one; what there is to say of it."""
    from studio.project.commit.transaction import returned_commit

    dead_lock = read_lock(store.layout.folder).state == "dead"
    if dead_lock or _is_half_committed(store) or returned_commit(store.layout):
        with finished_first(store) as held:
            return held.commit.notes if held.commit else ()
    return ()


def _is_half_committed(store: ProjectStore) -> bool:
    from studio.project.commit.transaction import pending

    return pending(store.layout) is not None
