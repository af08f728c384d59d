"""Taking back what a rebuild made of a chapter: the book knows again what it knew before.

One commit like any other. The text itself was never touched and stays; it
counts as changed by hand again. Taken back twice, the rebuild is there again.
"""

from __future__ import annotations

from collections.abc import Sequence

from studio.errors import usage
from studio.project import changelog as log
from studio.project.commit import Committed
from studio.project.history import Version
from studio.project.lock import ProjectLock
from studio.project.renewal import RENEWAL
from studio.project.store import ProjectStore
from studio.project.unstaged import Unstaged


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
    again = Unstaged.of(store, RENEWAL, before.delta())
    checkpoint = store.checkpoint()
    contents = _as_before(store, undone) | again.promises(checkpoint.current_volume)
    return again.commit(lock, contents, checkpoint)


def _as_before(store: ProjectStore, undone: log.Entry) -> dict[str, bytes]:
    """Path to bytes of what was made of the text, as it was before the rebuild."""
    versions = store.history.log()
    ours = [i for i, version in enumerate(versions) if version.commit_id == undone.commit_id]
    made = {versions[i].path for i in ours if versions[i].reason == "committed"}
    found = {}
    for path in sorted(_derived(store, undone) & made):
        earlier = _version_before(versions[: ours[0]], path, versions, undone.commit_id)
        if earlier is not None:
            found[path] = store.history.blob(earlier.sha)
    return found


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
