"""Holds a novel for writing: takes the lock and then finishes any interrupted commit. Says before
whether a run was interrupted, and cleans up after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from studio.errors import StudioError
from studio.messages import said
from studio.project.commit.transaction import (
    REASONS,
    CommitResult,
    pending,
    roll_forward,
    stray_commit,
)
from studio.project.layout import is_novel, vanished_error
from studio.project.lock.holder import read_lock
from studio.project.lock.lock import ProjectLock
from studio.project.novel_id import claim_novel_id
from studio.project.store import ProjectStore


@dataclass(frozen=True, slots=True)
class Writing:
    """A novel held for one writer, with no unfinished commit in it."""

    lock: ProjectLock
    commit: CommitResult | None
    """The interrupted commit that was found on entering: finished, or set aside as returned."""

    @property
    def finished_commit(self) -> CommitResult | None:
        """The interrupted commit that was finished on entering, if there was one."""
        return None if self.commit is None or self.commit.returned else self.commit


@contextmanager
def hold_for_writing(
    store: ProjectStore,
    chapter: int | None = None,
    say: Callable[[str], None] | None = None,
    held: Callable[[], None] = lambda: None,
) -> Iterator[Writing]:
    """Holds a novel, `chapter` being the subject of the work, and finishes an interrupted commit.

    `say`, by default the store's, gets a sentence about whose dead lock was taken over, which
    commit was finished, and which versions of the author's were kept by a commit. `held` is called
    right after the lock is taken. What is read in this block, or before it by the same command, is
    what its commits expect to replace. The novel has an id on this machine once a block has ended
    well.

    Raises StudioError: exit 3 if the novel is locked, 5 if the commit cannot be read, 1 if the
    folder holds no novel any more: an unmounted disk leaves an empty folder, which must not be
    taken for a book with nothing in it.
    """
    say = say or store.say
    if not is_novel(store.layout.folder):
        raise vanished_error(store.layout.folder)
    with ProjectLock(store.layout.folder, chapter) as lock:
        held()
        lock.say = say
        if lock.took_over is not None:
            say(lock.took_over.farewell())
        commit = roll_forward(store.layout)
        if commit is not None:
            if not commit.returned:
                say(said("Finished the interrupted {work}.", work=commit.work))
            for note in commit.notes:
                say(note)
        yield Writing(lock, commit)
        if (
            store.state_folder is not None
        ):  # not before: what is refused in the block writes nothing
            with suppress(StudioError):  # without a state folder nothing is remembered of it
                claim_novel_id(store.root, store.state_folder)


def finish_change(store: ProjectStore) -> list[str]:
    """Finishes an interrupted change of plans, notes, or words over the book; returns a sentence
    about each action.

    A chapter on its way into the book is left to its writer. Raises StudioError like
    `hold_for_writing`.
    """
    plan = pending(store.layout)
    if plan is None or plan.commit_id[:1] not in REASONS:
        return []
    with hold_for_writing(store) as held:
        done = held.finished_commit
    return (
        []
        if done is None
        else [said("Finished the interrupted {work}.", work=done.work), *done.notes]
    )


def is_interrupted(store: ProjectStore) -> bool:
    """Whether a chapter is in progress, a question open, or a chapter's commit unfinished."""
    from studio.project.commit.rebuilt import half_renewed

    checkpoint = store.checkpoint()
    is_asking = checkpoint.pending_decision is not None or bool(checkpoint.answers)
    if checkpoint.inflight_chapter is not None or is_asking:
        return True
    return pending(store.layout) is not None and not half_renewed(store.layout)


def sweep_up(store: ProjectStore) -> tuple[str, ...]:
    """Cleans up after a run that was killed at its end and left its lock or an unfinished rebuild,
    or after another program restored an old commit; returns notes about it."""
    dead_lock = read_lock(store.layout.folder).state == "dead"
    if dead_lock or pending(store.layout) is not None or stray_commit(store.layout):
        with hold_for_writing(store) as held:
            return held.commit.notes if held.commit else ()
    return ()
