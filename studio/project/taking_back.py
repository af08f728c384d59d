"""Taking back what a rebuild made of a chapter: the book knows again what it knew before.

One commit like any other. The text itself was never touched and stays; it
counts as changed by hand again. Taken back twice, the rebuild is there again.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence

from studio.errors import usage
from studio.fsio import sha256_hex
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.clock import now
from studio.project.commit import CommitPlan, Committed, Placement, commit
from studio.project.history import Version
from studio.project.lock import ProjectLock
from studio.project.plan import gaps_after, promises_after
from studio.project.renewal import RENEWAL
from studio.project.store import ProjectStore
from studio.story.document import to_bytes


def can_be_taken_back(store: ProjectStore, chapter: int) -> bool:
    """Whether the last thing done to a chapter of the book was a rebuild."""
    newest = store.changelog().newest(chapter)
    return newest is not None and newest.commit_id.startswith(RENEWAL)


def take_back(store: ProjectStore, lock: ProjectLock, chapter: int) -> Committed:
    """Undoes the newest rebuild of a chapter.

    StudioError: 2 when its last commit was no rebuild, 5 when changelog,
    state or the versions before are damaged.
    """
    changes = log.ChangelogFile(store.root).trusted()
    entries = [entry for entry in changes.entries if entry.chapter == chapter]
    if len(entries) < 2 or not entries[-1].commit_id.startswith(RENEWAL):
        raise usage(
            f"Chapter {chapter} was not rebuilt since it was committed.",
            f"`studio history list {chapter}` shows its versions.",
        )
    before, undone = entries[-2], entries[-1]
    commit_id, ts = f"{RENEWAL}{chapter:03d}-{secrets.token_hex(8)}", now()
    draft = log.entry_of(changes, before.delta(), commit_id, ts, 0)
    state = log.advance(store.state(), changes.entries, draft)
    entry = log.entry_of(changes, before.delta(), commit_id, ts, state.state_version)
    placements = list(_as_before(store, undone))
    placements.append(_placed(store, places.STATE, to_bytes(state), kept=False))
    checkpoint = store.checkpoint()
    book = promises_after(store, changes, before.delta(), checkpoint.current_volume)
    if book is not None:
        placements.append(_placed(store, places.FORESHADOWING, book))
    after = checkpoint.updated(
        state_gap=gaps_after(checkpoint, before.delta()),
        state_version=state.state_version,
        updated_at=ts,
    )
    plan = CommitPlan(
        commit_id=commit_id,
        chapter=chapter,
        ts=ts,
        placements=tuple(placements),
        changelog_line=entry.line().decode(),
        checkpoint=to_bytes(after).decode(),
    )
    done = commit(store.layout, plan, lock)
    path = store.layout.staged_delta(chapter)
    store.history.keep(path, to_bytes(before.delta()), "committed", commit_id, ts)
    return done


def _as_before(store: ProjectStore, undone: log.Entry) -> Iterator[Placement]:
    """What was made of the text, as it was before the rebuild."""
    versions = store.history.log()
    ours = [i for i, version in enumerate(versions) if version.commit_id == undone.commit_id]
    made = {versions[i].path for i in ours if versions[i].reason == "committed"}
    for path in sorted(_derived(store, undone) & made):
        earlier = _version_before(versions[: ours[0]], path, versions, undone.commit_id)
        if earlier is not None:
            yield _placed(store, path, store.history.blob(earlier.sha))


def _version_before(
    older: Sequence[Version], path: str, versions: Sequence[Version], commit_id: str
) -> Version | None:
    replaced = [
        v for v in versions if (v.path, v.commit_id, v.reason) == (path, commit_id, "replaced")
    ]
    known = replaced or [version for version in older if version.path == path]
    return known[-1] if known else None


def _derived(store: ProjectStore, undone: log.Entry) -> set[str]:
    layout, chapter = store.layout, undone.chapter
    return {
        *(layout.summary(chapter), layout.crossref(chapter), layout.evaluation(chapter)),
        *(layout.directives(chapter), layout.memory(undone.storyline_id)),
    }


def _placed(store: ProjectStore, path: str, data: bytes, kept: bool = True) -> Placement:
    return Placement(
        dst=path,
        sha256=sha256_hex(data),
        expected=store.root.sha(path),
        content=data.decode(),
        kept=kept,
    )
