"""Somebody leaves the story, or comes back: files, state and relationships in one commit (D8).

The state is the fold of the chapters' operations, so leaving it is one more of them, the
author's own, in the last chapter of the book. Coming back takes that operation away again.
"""

from __future__ import annotations

from collections.abc import Mapping

from studio.project import changelog as log
from studio.project.commit.builder import CommitBuilder
from studio.project.commit.transaction import RETIRED, carry_out
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.state import Delta, StateOp


def left_by(entry: log.Entry, slug: str) -> StateOp | None:
    """The operation by which a person left the state in a chapter."""
    path = f"characters.{slug}"
    ops = (op for op in entry.delta().ops if op.op == "remove" and op.path == path)
    return next((op for op in ops if op.by == "author"), None)


def change_people(
    store: ProjectStore,
    lock: ProjectLock,
    files: Mapping[str, bytes | None],
    delta: Delta | None,
) -> str:
    """Writes these files, None taking one away, and the new operations of a chapter with them;
    returns the commit's id. What is replaced and taken away is in history.

    StudioError: 5 if changelog or state are damaged.
    """
    checkpoint = store.checkpoint()
    chapter = delta.chapter if delta else checkpoint.last_completed_chapter
    builder = CommitBuilder(store, RETIRED, chapter)
    old = {path: store.root.find(path) for path in files}
    store.history.keep_all(
        [(path, data, "before somebody left") for path, data in old.items() if data is not None]
    )
    builder.replace(files, old)
    version = checkpoint.state_version
    if delta is not None:
        version = builder.fold(log.ChangelogFile(store.root).trusted(), delta).state_version
    updated = checkpoint.updated(state_version=version, updated_at=builder.ts)
    carry_out(store.layout, builder.plan(to_bytes(updated)), lock)
    if delta is not None:  # what `repair` makes a lost line of the changelog from
        path = store.layout.staged_delta(delta.chapter)
        store.history.keep(path, to_bytes(delta), "committed", builder.commit_id, builder.ts)
    return builder.commit_id
