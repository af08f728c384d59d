"""Files of the novel that a writer's command changes outside a commit.

Style library, baseline and waivers are hers and need no transaction: one file
is replaced whole, and what stood there before is in history.
"""

from __future__ import annotations

from studio.project.store import ProjectStore


def replace(store: ProjectStore, path: str, data: bytes, reason: str) -> None:
    """Writes a file; the version it replaces, and this one, are kept. The lock is held."""
    _keep_present(store, path)
    store.history.keep(path, data, reason)
    store.root.write(path, data)


def take_away(store: ProjectStore, path: str) -> bool:
    """Removes a file, which stays in history; False if there is none. The lock is held."""
    _keep_present(store, path)
    return store.root.remove(path)


def _keep_present(store: ProjectStore, path: str) -> None:
    data = store.root.find(path)
    if data is not None:
        store.history.keep(path, data, "replaced")
