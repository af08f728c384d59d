"""Files of the novel that a writer's command changes outside a commit.

Her own text, style library, baseline and waivers need no transaction: one file
is replaced whole, and what stood there before is in history.
"""

from __future__ import annotations

from typing import Literal

from studio.project.store import ProjectStore


def replace(
    store: ProjectStore,
    path: str,
    data: bytes,
    reason: str,
    before: str = "replaced",
    expected: str | Literal["any"] | None = "any",
) -> None:
    """Writes a file; the version it replaces, and this one, are kept first. The lock is held.

    `reason` and `before` are what history says of the two. With `expected` (a sha256, None
    for "no file") StudioError (exit 1) if another text stands there at this moment.
    """
    _keep_present(store, path, before)
    store.history.keep(path, data, reason)
    store.root.write(path, data, expected=expected)


def take_away(store: ProjectStore, path: str) -> bool:
    """Removes a file, which stays in history; False if there is none. The lock is held."""
    _keep_present(store, path, "replaced")
    return store.root.remove(path)


def _keep_present(store: ProjectStore, path: str, reason: str) -> None:
    data = store.root.find(path)
    if data is not None:
        store.history.keep(path, data, reason)
