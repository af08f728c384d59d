"""Files of the novel that a writer's command changes outside a commit.

Her own text, style library, baseline and waivers need no transaction: one file
is replaced whole, and what stood there before is in history.
"""

from __future__ import annotations

from typing import Literal

from studio.project.files.load import refuse_large_chapter
from studio.project.store import ProjectStore


def replace(
    store: ProjectStore,
    path: str,
    data: bytes,
    reason: str,
    old_reason: str = "replaced",
    expected: str | Literal["any"] | None = "any",
) -> None:
    """Writes a file; the version it replaces, and this one, are kept first. The lock is held.

    `reason` and `old_reason` are what history says of the two. ChangedOnDisk (exit 1) if the file
    is saved by somebody at this moment, or with `expected` (a sha256, None for "no file") is
    another one already: what was saved stands. StudioError (exit 2) for a chapter that would be
    larger than any.
    """
    refuse_large_chapter(path, data)
    present = _keep_present(store, path, old_reason)
    store.history.keep(path, data, reason)
    store.root.write(path, data, expected=present if expected == "any" else expected)


def take_away(store: ProjectStore, path: str) -> bool:
    """Removes a file, which stays in history; False if there is none. The lock is held.

    ChangedOnDisk (exit 1) if it is saved by somebody at this moment: then it stands.
    """
    present = _keep_present(store, path, "replaced")
    return present is not None and store.root.remove(path, present)


def _keep_present(store: ProjectStore, path: str, reason: str) -> str | None:
    data = store.root.find(path)
    return None if data is None else store.history.keep(path, data, reason)
