"""What other programs leave in a novel: the markers of a merge that git could not finish, and the
copies that a sync program makes where two machines changed the same file."""

from __future__ import annotations

import re
import unicodedata
from codecs import BOM_UTF8
from collections.abc import Iterator

from studio.fsio import Root
from studio.fsio.read import Readable
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


def open_merge_in(path: str, text: str | bytes) -> str | None:
    """Returns a sentence about the merge that is open in a file's text; None if there is none."""
    line = open_merge(text.encode() if isinstance(text, str) else text)
    if line is None:
        return None
    return said(
        "{path} holds conflict markers of a merge, from line {line} on.", path=path, line=line
    )


def same_words(one: bytes, other: bytes) -> bool:
    """Whether two texts are the same but for the ends of their lines, a byte order mark and how
    their letters are composed, as git, some editors and some disks change them without anybody's
    having written a word."""
    return _plain(one) == _plain(other)


def _plain(text: bytes) -> bytes:
    plain = text.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return unicodedata.normalize("NFC", plain.decode()).encode()
    except UnicodeDecodeError:
        return plain


def own_names(root: Readable, folder: str) -> list[str]:
    """Returns the sorted names in a folder of the novel, without the copies of sync programs."""
    return [name for name in root.names(folder) if not is_sync_copy(name)]


_MARKER = re.compile(rb"^(?:<{7}|\|{7}|={7}|>{7})(?: |\r?$)")


def both_sides(log: bytes) -> bytes:
    """Returns a log to which lines are only appended with every open merge in it closed: the lines
    of both sides, ours first, each once. Whatever the sides began from stands before the merge."""
    lines: list[bytes] = []
    merged: set[bytes] | None = None
    is_base = False
    for line in log.splitlines(keepends=True):
        marker = line[:1] if _MARKER.match(line) else b""
        if marker == b"<":
            merged, is_base = set(), False
        elif merged is None or not marker:
            if merged is None or not (is_base or line in merged):
                lines.append(line)
            if merged is not None and not is_base:
                merged.add(line)
        elif marker == b">":
            merged = None
        else:
            is_base = marker == b"|"
    return b"".join(lines)


_ELSEWHERE = (places.HISTORY, places.STAGING, "logs", places.VARIATIONS, places.PLUGINS, ".git")
"""Folders whose files are not read as the novel's text."""


def _of_copy(path: str) -> str:
    return said(
        "{path} is a copy that a sync program made of a conflict; it is read as nothing.",
        path=path,
    )


def sync_copies_of_notes(root: Root) -> Iterator[str]:
    """Yields a sentence about each copy of a sync program among the people and in the world, for
    commands that read these: they go on as if it were not there, and she should know."""
    for folder in ("characters", places.WORLD):
        for path in root.files_below(folder):
            if is_sync_copy(path.rpartition("/")[2]):
                yield _of_copy(path)


def left_by_others(root: Root, contents: bool) -> Iterator[tuple[str, str]]:
    """Yields the path of each copy of a sync program, and with `contents` of each file in which a
    merge is open, with a sentence about it. Without, only the brief, the settings and the outlines
    are read, so that the time does not grow with the book."""
    paths = [*root.files_below("", _ELSEWHERE), *places.GROWING[1:]]
    for path in paths:
        name = path.rpartition("/")[2]
        if is_sync_copy(name):
            yield path, _of_copy(path)
        elif contents or path in (places.BRIEF, places.SETTINGS) or name == "outline.md":
            sentence = open_merge_in(path, root.find(path) or b"")
            if sentence is not None:
                yield path, sentence
