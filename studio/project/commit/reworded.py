"""Words changed in many files at once, with the events as they were: one transaction.

A chapter of the book is then as after a hand edit of its style: all that was made from it names
the new text, the changelog gets a line with the same operations, and the state stays. Plans and
entries of the bible go with it. Asks no model.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.fsio import sha256_hex
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.clock import now
from studio.project.commit.hand_edit import derived_files
from studio.project.commit.transaction import REWORDED, CommitPlan, Committed, Placement, commit
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore

REPLACED = "before words were replaced"
UNDONE = "before a replacement was undone"
"""What history says of the texts that such a commit replaces, forwards and back."""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One file as it is and as it shall be."""

    path: str
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class PastEdit:
    """What an earlier replacement did to one file, by the sha256 of the texts."""

    path: str
    before: str
    after: str


def commit_edits(
    store: ProjectStore, lock: ProjectLock, edits: Sequence[TextEdit], reason: str = REPLACED
) -> Committed:
    """Changes all of these files or none; `edits` names at least one.

    A chapter that was edited by hand and not settled yet stays so. HandEdit (exit 4) if a file is
    not `before` any more, exit 3 if the lock was lost, exit 5 if the changelog is damaged.
    """
    layout, stamp, ts = store.layout, secrets.token_hex(8), now()
    changes = log.ChangelogFile(store.root).trusted()
    contents = {edit.path: edit for edit in edits}
    committed = log.counting(changes.entries)
    placements = {edit.path: _placement(edit) for edit in edits}
    texts = {
        edit.path: edit.after
        for edit in edits
        if edit.path.startswith((places.SUMMARIES, places.STORYLINE_FOLDERS))
    }
    lines: list[str] = []
    for number, entry in committed.items():
        edit = contents.get(layout.chapter(number))
        if edit is None or sha256_hex(edit.before) != entry.source_sha256:
            continue
        fresh_sha = sha256_hex(edit.after)
        files = derived_files(
            store, number, entry.storyline_id, fresh_sha, entry.source_sha256, texts
        )
        for path, data in files.items():
            placements[path] = Placement(
                dst=path,
                sha256=sha256_hex(data),
                expected=store.root.sha(path),
                content=data.decode(),
            )
        line = entry._replace(
            seq=changes.next_seq + len(lines),
            commit_id=f"e{number:03d}-{stamp}",
            ts=ts,
            source_sha256=fresh_sha,
        )
        lines.append(line.line().decode())
    chapter = min((places.chapter_of(e.path) or 0 for e in edits), default=0) or 1
    plan = CommitPlan(
        commit_id=f"{REWORDED}{chapter:03d}-{stamp}",
        chapter=chapter,
        ts=ts,
        placements=tuple(placements.values()),
        reworded=tuple(lines),
    )
    versions = [(edit.path, edit.before, reason) for edit in edits]
    store.history.keep_all(versions, plan.commit_id, ts)
    return commit(layout, plan, lock)


def newest_replacement(store: ProjectStore) -> tuple[PastEdit, ...]:
    """What the newest replacement changed that is not undone yet; empty if there is none."""
    commits: dict[str, dict[str, dict[str, str]]] = {}
    reasons: dict[str, str] = {}
    for version in store.history.log():
        if not version.commit_id.startswith(REWORDED):
            continue
        is_before = version.reason in (REPLACED, UNDONE)
        texts = commits.setdefault(version.commit_id, {}).setdefault(version.path, {})
        texts["before" if is_before else "after"] = version.sha
        if is_before:
            reasons[version.commit_id] = version.reason
    undone = 0
    for commit_id, paths in reversed(commits.items()):
        past = tuple(_past(paths))
        if not past:
            continue
        if reasons.get(commit_id) == UNDONE:
            undone += 1
        elif undone:
            undone -= 1
        else:
            return past
    return ()


def _past(paths: dict[str, dict[str, str]]) -> Iterator[PastEdit]:
    for path, texts in paths.items():
        if "before" in texts and "after" in texts:
            yield PastEdit(path, texts["before"], texts["after"])


def _placement(edit: TextEdit) -> Placement:
    return Placement(
        dst=edit.path,
        sha256=sha256_hex(edit.after),
        expected=sha256_hex(edit.before),
        content=edit.after.decode(),
    )
