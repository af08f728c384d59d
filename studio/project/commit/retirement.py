"""Retires a character or brings one back: files, state and relationships in one commit (D8).

The state is the fold of the chapters' operations, so retiring is an additional operation by the
author in the last chapter of the book. Bringing back removes that operation.
"""

from __future__ import annotations

from collections.abc import Mapping

from studio.project import changelog as log
from studio.project.commit.builder import CommitBuilder
from studio.project.commit.transaction import RETIRED, commit
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.state import Delta, StateOp


def left_by(entry: log.ChangelogEntry, slug: str) -> StateOp | None:
    """Returns the operation by which a chapter removes a person from the state."""
    path = f"characters.{slug}"
    ops = (op for op in entry.delta().ops if op.op == "remove" and op.path == path)
    return next((op for op in ops if op.by == "author"), None)


def change_people(
    store: ProjectStore,
    lock: ProjectLock,
    files: Mapping[str, bytes | None],
    delta: Delta | None,
) -> str:
    """Writes these files (None deletes) together with a chapter's new operations; returns the
    commit's id. Replaced and deleted files are in history.

    Raises StudioError (exit 5) if changelog or state are damaged.
    """
    checkpoint = store.checkpoint()
    chapter = delta.chapter if delta else checkpoint.last_completed_chapter
    builder = CommitBuilder(store, RETIRED, chapter)
    old = {path: store.root.find(path) for path in files}
    store.history.keep_all(
        [(path, data, Reason.BEFORE_LEAVING) for path, data in old.items() if data is not None]
    )
    builder.change(files)
    version = checkpoint.state_version
    if delta is not None:
        version = builder.fold(log.ChangelogFile(store.root).read_trusted(), delta).state_version
    updated = checkpoint.copy_with(state_version=version, updated_at=builder.ts)
    commit(store.layout, builder.plan(to_bytes(updated)), lock)
    if delta is not None:  # `repair` reconstructs a lost changelog line from this
        path = store.layout.staged_delta(delta.chapter)
        store.history.keep(path, to_bytes(delta), Reason.COMMITTED, builder.commit_id, builder.ts)
    return builder.commit_id
