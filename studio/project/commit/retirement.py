"""Somebody leaves the story, or comes back: files, state and relationships in one commit (D8).

The state is the fold of the chapters' operations, so leaving it is one more of them, the
author's own, in the last chapter of the book. Coming back takes that operation away again.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from studio.fsio import sha256_hex
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.clock import now
from studio.project.commit.placement import Placement, Removal
from studio.project.commit.transaction import RETIRED, CommitPlan, carry_out
from studio.project.files import load
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
    commit_id, ts = f"{RETIRED}{chapter:03d}-{secrets.token_hex(8)}", now()
    old = {path: store.root.find(path) for path in files}
    store.history.keep_all(
        [(path, data, "before somebody left") for path, data in old.items() if data is not None]
    )
    fresh = {path: data for path, data in files.items() if data is not None}
    line, version, kept_out = "", checkpoint.state_version, set[str]()
    if delta is not None:
        changes = log.ChangelogFile(store.root).trusted()
        entry, state = log.fold_in(changes, store.state(), delta, commit_id, ts)
        line, version = entry.line().decode(), entry.state_version
        fresh[places.STATE] = to_bytes(state)
        kept_out.add(places.STATE)
    plan = CommitPlan(
        commit_id=commit_id,
        chapter=max(1, chapter),
        ts=ts,
        placements=tuple(
            Placement(
                dst=path,
                sha256=sha256_hex(data),
                expected=store.root.sha(path),
                content=load.decoded(data, path),
                kept=path not in kept_out,
            )
            for path, data in fresh.items()
        ),
        removals=tuple(
            Removal(path=path, sha256=sha256_hex(data))
            for path, data in old.items()
            if data is not None and files[path] is None
        ),
        changelog_line=line,
        checkpoint=to_bytes(checkpoint.updated(state_version=version, updated_at=ts)).decode(),
    )
    carry_out(store.layout, plan, lock)
    if delta is not None:  # what `repair` makes a lost line of the changelog from
        path = store.layout.staged_delta(delta.chapter)
        store.history.keep(path, to_bytes(delta), "committed", commit_id, ts)
    return commit_id
