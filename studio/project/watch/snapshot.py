"""The files a writer may change elsewhere, as they were when last looked at.

A look compares stamps, then hashes: what counts is the text of a file, never
the kind of an event (reliability F15, F16). What this process wrote itself is
known by its sha256 (F17).
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from studio.errors import StudioError
from studio.fsio import Root, is_own, sha256_hex, stamp_of
from studio.project import layout as places

Stamp = tuple[int, int, int]

FOLDERS = (
    *(places.CHAPTERS, places.VOLUMES, "characters", places.WORLD, places.STORYLINE_FOLDERS),
    *(places.STYLE_LIBRARY, places.AGENTS, "context", "foreshadowing", places.SUMMARIES),
    *(places.IMPORTS, f"{places.STAGING}/chapters", f"{places.STAGING}/evaluations"),
)
FILES = (
    *(places.SETTINGS, places.BRIEF, places.STYLE_PROFILE, places.BLACKLIST, places.CHECKPOINT),
)
_ENDINGS = (".md", ".json", ".toml")

SETTLING = 0.05
"""Seconds without a change after which a text counts as saved where nothing better is known."""
_STEP = 0.005
_FRESH = 2.0
"""Seconds after its last change in which a file may still be being written."""
_LONGEST = 1.0
"""Seconds a program may keep a file open for writing before its text is read all the same."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that is another than it was; None stands for no file."""

    path: str
    before: str | None
    """Sha256 of the text before."""
    after: str | None


@dataclass(frozen=True, slots=True)
class _Seen:
    stamp: Stamp
    sha: str


def is_watched(path: str) -> bool:
    """Whether a path in the novel is one of the files looked at."""
    name = path.rpartition("/")[2]
    if name.startswith(".") and path != places.CHECKPOINT:
        return False
    return path in FILES or (path.endswith(_ENDINGS) and path.startswith(_PREFIXES))


_PREFIXES = tuple(f"{folder}/" for folder in FOLDERS)


class WatchedFiles:
    """What the files of a novel were at the last look. Used by one thread."""

    def __init__(self, root: Root, wait: Callable[[float], object] | None = None) -> None:
        self._root = root
        self._seen: dict[str, _Seen] = {}
        self._wait = wait or threading.Event().wait

    def rescan(self, paths: Iterable[str] | None = None) -> list[FileChange]:
        """What changed since the last look: of these files, or of all for None.

        A file that is being written is waited for. One that cannot be read is
        left as it was, and looked at again the next time.
        """
        found = self._stamps() if paths is None else self._stamps_of(paths)
        gone = self._seen.keys() - found.keys() if paths is None else set(paths) - found.keys()
        here = sorted(gone & self._seen.keys())
        if here:  # some editors delete a file and make it anew
            self._wait(SETTLING)
            found.update(self._stamps_of(here))
            here = [path for path in here if path not in found]
        changes = [FileChange(path, self._seen.pop(path).sha, None) for path in here]
        for path, stamp in sorted(found.items()):
            known = self._seen.get(path)
            if known is not None and known.stamp == stamp:
                continue
            change = self._looked_at(path, known)
            if change is not None:
                changes.append(change)
        return changes

    def _looked_at(self, path: str, known: _Seen | None) -> FileChange | None:
        settled = self._settled(path)
        if settled is None:
            return None
        self._seen[path] = settled
        before = known.sha if known else None
        if settled.sha == before or is_own(self._root.path / path, settled.sha):
            return None
        return FileChange(path, before, settled.sha)

    def _settled(self, path: str) -> _Seen | None:
        """The file when nobody writes it any more; None if it is gone or cannot be read."""
        waited = 0.0
        try:
            while True:
                before = self._root.info(path)
                if before is None:
                    return None
                busy = _is_fresh(before) and self._root.being_written(path)
                if busy is not False and waited < _LONGEST:
                    pause = _STEP if busy else SETTLING
                    self._wait(pause)
                    waited += pause
                    if busy:
                        continue
                data = self._root.find(path)
                after = self._root.info(path)
                if data is None or after is None:
                    return None
                if stamp_of(before) == stamp_of(after):
                    return _Seen(stamp_of(after), sha256_hex(data))
        except StudioError:
            return None

    def _stamps(self) -> dict[str, Stamp]:
        found = self._stamps_of(FILES)
        for folder in FOLDERS:
            found.update(_below(self._root.path, folder))
        return found

    def _stamps_of(self, paths: Iterable[str]) -> dict[str, Stamp]:
        found = {}
        for path in paths:
            try:
                info = os.stat(self._root.path / path, follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISREG(info.st_mode):
                found[path] = stamp_of(info)
        return found


def _is_fresh(info: os.stat_result) -> bool:
    return time.time() - info.st_mtime < _FRESH


def _below(root: Path, folder: str) -> Iterator[tuple[str, Stamp]]:
    """Every watched file below a folder; links are not followed."""
    try:
        with os.scandir(root / folder) as entries:
            listed = list(entries)
    except OSError:
        return
    for entry in listed:
        path = f"{folder}/{entry.name}"
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _below(root, path)
            elif is_watched(path) and entry.is_file(follow_symlinks=False):
                yield path, stamp_of(entry.stat(follow_symlinks=False))
        except OSError:
            continue
