"""A store for repeated comparisons: a file is hashed again only if its stamp changed.

What a process learnt of the book's chapters is kept for the next one, so that comparing a book with
what was committed opens only the files that were touched since.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from studio.errors import StudioError
from studio.foreign_json import JsonError, read_json
from studio.fsio import Root, stamp_of
from studio.project import layout as places
from studio.project.store import ProjectStore

_SETTLED_NS = 2_000_000_000
"""Nanoseconds after its last change from which a file's stamp is trusted: a save within the same
tick of a coarse clock would leave the stamp as it is."""


_FEWEST = 50
"""Chapters below which nothing is kept for the next process: hashing that many takes a millisecond
or two."""


class StampedRoot(Root):
    """Caches the sha256 of each file with its stamp. Used by one thread."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path)
        self.cached: dict[str, tuple[tuple[int, int, int], str]] = {}
        """The stamp and the sha256 of each file by its path."""

    def sha(self, rel: str) -> str | None:
        """Returns the sha256 of a file, from the cache if the file is unchanged."""
        info = self.info(rel)
        if info is None:
            return None
        stamp = stamp_of(info)
        cached = self.cached.get(rel)
        if cached is not None and cached[0] == stamp:
            return cached[1]
        sha = super().sha(rel)
        if sha is not None:
            self.cached[rel] = (stamp, sha)
        return sha


def recall_hashes(root: StampedRoot) -> None:
    """Takes up what an earlier process learnt of the chapters; a damaged record is none."""
    try:
        record = read_json(root.find(places.CHAPTER_HASHES) or b"{}", dict)
    except (StudioError, JsonError):
        return
    rows = record.get("chapters")
    for path, row in rows.items() if isinstance(rows, dict) else ():
        if _is_row(row):
            root.cached.setdefault(path, ((row[0], row[1], row[2]), row[3]))


def remember_hashes(root: StampedRoot) -> None:
    """Keeps what is known of the chapters of a long book for the next process. Not kept is a file
    that was changed a moment ago; if nothing can be written, nothing is lost."""
    from studio.story.form.document import encode

    settled_before = time.time_ns() - _SETTLED_NS
    rows = {
        path: [*stamp, sha]
        for path, (stamp, sha) in sorted(root.cached.items())
        if path.startswith(f"{places.CHAPTERS}/") and stamp[0] < settled_before
    }
    if len(rows) < _FEWEST:
        return
    data = encode({"schema_version": 1, "chapters": rows})
    with suppress(StudioError):
        if root.find(places.CHAPTER_HASHES) != data:
            root.write(places.CHAPTER_HASHES, data, durable=False)


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, list)
        and len(row) == 4
        and all(type(number) is int for number in row[:3])
        and isinstance(row[3], str)
    )


class WatchedStore(ProjectStore):
    """A store of a novel whose files are compared often and change rarely."""

    root: StampedRoot

    def __init__(self, folder: Path | str) -> None:
        super().__init__(folder)
        self.root = StampedRoot(self.layout.folder)
