"""Files of the novel that a writer's command changes outside a commit.

The author's text, style library, baseline and waivers need no transaction: a single file is
replaced as a whole, and its previous version is in history.
"""

from __future__ import annotations

from typing import Literal

from studio.fsio import first_sha
from studio.project.files.load import refuse_large_chapter
from studio.project.history.reasons import Reason
from studio.project.store import ProjectStore


def replace(
    store: ProjectStore,
    path: str,
    data: bytes,
    reason: Reason,
    old_reason: Reason = Reason.REPLACED,
    expected: str | Literal["any"] | None = "any",
) -> None:
    """Writes a file after recording its old and its new version in history. The caller holds the
    lock.

    `reason` and `old_reason` are the reasons history records for the two. Raises ChangedOnDisk
    (exit 1) if the file is not `expected` (a sha256, None for "no file"; by default what this
    command saw in it first), even if another program saves it at the last moment; what was saved
    stays. Raises StudioError (exit 2) for an oversized chapter.
    """
    refuse_large_chapter(path, data)
    if expected == "any":
        expected = first_sha(store.root, path)
    _keep_present(store, path, old_reason)
    store.history.keep(path, data, reason)
    store.root.write(path, data, expected=expected)


def take_away(store: ProjectStore, path: str) -> bool:
    """Deletes a file, which stays in history; returns False if there is none. The caller holds the
    lock.

    Raises ChangedOnDisk (exit 1), and leaves the file, if another program saves it at this moment.
    """
    expected = first_sha(store.root, path)
    _keep_present(store, path, Reason.REPLACED)
    return expected is not None and store.root.remove(path, expected)


def _keep_present(store: ProjectStore, path: str, reason: Reason) -> str | None:
    data = store.root.find(path)
    return None if data is None else store.history.keep(path, data, reason)
