"""Replaces words in many files in one transaction, leaving the events as they are.

A chapter of the book is then as after a hand edit of its style: everything derived from it names
the new text, the changelog gets a line with the same operations, and the state stays. Plans and
bible entries are included. No model is called.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.fsio import first_sha, sha256_hex
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.commit.builder import CommitBuilder
from studio.project.commit.hand_edit import derived_files
from studio.project.commit.plan import planned_scenes_after
from studio.project.commit.transaction import REWORDED, CommitResult, HandEdit, commit
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.progress import Listener, Progress, nobody
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A file with its old and its new text."""

    path: str
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class PastEdit:
    """The effect of an earlier replacement on one file, as sha256s of the texts."""

    path: str
    before: str
    after: str


def commit_edits(
    store: ProjectStore,
    lock: ProjectLock,
    edits: Sequence[TextEdit],
    reason: Reason = Reason.BEFORE_WORDS_REPLACED,
    listener: Listener = nobody,
) -> CommitResult:
    """Changes all of these files or none; `edits` names at least one.

    A chapter with an unresolved hand edit stays unresolved. Raises HandEdit (exit 4) if a file is
    no longer `before`, exit 3 if the lock was lost, exit 5 if the changelog is damaged.
    """
    chapter = min((places.chapter_of(e.path) or 0 for e in edits), default=0) or 1
    builder = CommitBuilder(store, REWORDED, chapter)
    for edit in edits:
        if (first := first_sha(store.root, edit.path)) != (before := sha256_hex(edit.before)):
            raise HandEdit(edit.path, before, first, builder.commit_id)
    changes = log.ChangelogFile(store.root).read_trusted()
    contents = {edit.path: edit for edit in edits}
    for edit in edits:
        builder.put(edit.path, edit.after)
    texts = {
        edit.path: edit.after
        for edit in edits
        if edit.path.startswith((places.SUMMARIES, places.STORYLINE_FOLDERS))
    }
    stamp = builder.commit_id.partition("-")[2]
    seq = changes.next_seq
    for number, entry in log.entries_that_count(changes.entries).items():
        edited = contents.get(store.layout.chapter(number))
        if edited is None:
            continue
        if sha256_hex(edited.before) != entry.source_sha256 and not store.respelled_chapters(
            [number]
        ):
            continue
        fresh_sha = sha256_hex(edited.after)
        files = derived_files(
            store, number, entry.storyline_id, fresh_sha, entry.source_sha256, texts
        )
        for path, data in files.items():
            builder.put(path, data)
        fresh = Chapter(edited.after.decode(errors="replace"))
        builder.change(planned_scenes_after(store, number, fresh))
        commit_id = f"e{number:03d}-{stamp}"
        builder.reword(
            entry._replace(seq=seq, commit_id=commit_id, ts=builder.ts, source_sha256=fresh_sha)
        )
        seq += 1
    plan = builder.plan()
    listener(Progress("saving", 0, len(plan.placements)))
    versions = [(edit.path, edit.before, reason) for edit in edits]
    store.history.keep_all(versions, builder.commit_id, builder.ts)
    return commit(
        store.layout,
        plan,
        lock,
        lambda number: listener(Progress("saving", number, len(plan.placements))),
    )


def newest_replacement(store: ProjectStore) -> tuple[PastEdit, ...]:
    """Returns the edits of the newest replacement that is not undone yet; empty if there is
    none."""
    commits: dict[str, dict[str, dict[str, str]]] = {}
    reasons: dict[str, str] = {}
    for version in store.history.log():
        if not version.commit_id.startswith(REWORDED):
            continue
        is_before = version.reason in (
            Reason.BEFORE_WORDS_REPLACED,
            Reason.BEFORE_REPLACEMENT_UNDONE,
        )
        texts = commits.setdefault(version.commit_id, {}).setdefault(version.path, {})
        texts["before" if is_before else "after"] = version.sha
        if is_before:
            reasons[version.commit_id] = version.reason
    undone = 0
    for commit_id, paths in reversed(commits.items()):
        past = tuple(_past(paths))
        if not past:
            continue
        if reasons.get(commit_id) == Reason.BEFORE_REPLACEMENT_UNDONE:
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
