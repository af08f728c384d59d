"""A novel that is looked at again and again: a file is hashed anew only when its stamp changed."""

from __future__ import annotations

from pathlib import Path

from studio.fsio import Root, stamp_of
from studio.project.store import ProjectStore


class StampedRoot(Root):
    """Remembers the sha256 of each file with the stamp it had then. Used by one thread."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path)
        self._cached: dict[str, tuple[tuple[int, int, int], str]] = {}

    def sha(self, rel: str) -> str | None:
        """The sha256 of a file, from memory where the file did not change since."""
        info = self.info(rel)
        if info is None:
            return None
        stamp = stamp_of(info)
        cached = self._cached.get(rel)
        if cached is not None and cached[0] == stamp:
            return cached[1]
        sha = super().sha(rel)
        if sha is not None:
            self._cached[rel] = (stamp, sha)
        return sha


class WatchedStore(ProjectStore):
    """A novel whose files are compared often, and change seldom."""

    def __init__(self, folder: Path | str) -> None:
        super().__init__(folder)
        self.root = StampedRoot(self.layout.folder)
