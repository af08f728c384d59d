"""A store for repeated comparisons: a file is hashed again only if its stamp changed."""

from __future__ import annotations

from pathlib import Path

from studio.fsio import Root, stamp_of
from studio.project.store import ProjectStore


class StampedRoot(Root):
    """Caches the sha256 of each file with its stamp. Used by one thread."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path)
        self._cached: dict[str, tuple[tuple[int, int, int], str]] = {}

    def sha(self, rel: str) -> str | None:
        """Returns the sha256 of a file, from the cache if the file is unchanged."""
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
    """A store of a novel whose files are compared often and change rarely."""

    def __init__(self, folder: Path | str) -> None:
        super().__init__(folder)
        self.root = StampedRoot(self.layout.folder)
