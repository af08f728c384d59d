"""What other programs leave in a novel: the markers of a merge that git could not finish, and the
copies that a sync program makes where two machines changed the same file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from studio.fsio import Root
from studio.messages import said
from studio.project import layout as places

_OURS = re.compile(rb"^<{7}(?: |$)", re.MULTILINE)
_THEIRS = re.compile(rb"^>{7}(?: |$)", re.MULTILINE)
_COPY = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}"  # Syncthing
    r"|[(\[ ](?:[^()\[\]]* )?conflict(?:ed|ing)? copy\b"  # Dropbox, Nextcloud
    r"|_conflict-\d{8}|\[conflict\]"  # ownCloud, Google Drive
    r"|충돌(?:하는|된)? ?사본|冲突(?:的)?副本|衝突(?:的)?(?:複本|副本)",
    re.IGNORECASE,
)


def is_sync_copy(name: str) -> bool:
    """Whether a file's name is that of a copy that a sync program made of a conflict."""
    return _COPY.search(name) is not None


def open_merge(data: bytes) -> int | None:
    """Returns the line of the first marker of a merge that is still open; None if there is none."""
    if b"<<<<<<<" not in data:
        return None
    ours = _OURS.search(data)
    if ours is None or _THEIRS.search(data, ours.end()) is None:
        return None
    return data.count(b"\n", 0, ours.start()) + 1


_ELSEWHERE = (places.HISTORY, places.STAGING, "logs", places.VARIATIONS, places.PLUGINS, ".git")
"""Folders whose files are not read as the novel's text."""


def left_by_others(root: Root, contents: bool) -> Iterator[tuple[str, str]]:
    """Yields the path of each copy of a sync program, and with `contents` of each file in which a
    merge is open, with a sentence about it. Without, only the brief, the settings and the outlines
    are read, so that the time does not grow with the book."""
    paths = [*root.files_below("", _ELSEWHERE), *places.GROWING[1:]]
    for path in paths:
        name = path.rpartition("/")[2]
        if is_sync_copy(name):
            yield (
                path,
                said(
                    "{path} is a copy that a sync program made of a conflict; it is read as "
                    "nothing.",
                    path=path,
                ),
            )
        elif contents or path in (places.BRIEF, places.SETTINGS) or name == "outline.md":
            data = root.find(path)
            line = None if data is None else open_merge(data)
            if line is not None:
                yield (
                    path,
                    said(
                        "{path} holds conflict markers of a merge, from line {line} on.",
                        path=path,
                        line=line,
                    ),
                )
