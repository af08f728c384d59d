"""A snapshot of the files a writer may change in other programs.

A scan compares stamps, then hashes: only the text of a file counts, never the kind of an event
(reliability F15, F16). This process's own writes are recognized by sha256 (F17).
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
"""The seconds without a change after which a text counts as saved, if nothing better is known."""
_STEP = 0.005
_FRESH = 2.0
"""Seconds after its last change in which a file may still be being written."""
_LONGEST = 1.0
"""Seconds for which a file may stay open for writing before its text is read anyway."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A changed file; None stands for no file."""

    path: str
    before: str | None
    """The sha256 of the previous text."""
    after: str | None


@dataclass(frozen=True, slots=True)
class _LastLook:
    stamp: Stamp
    sha: str


def is_watched(path: str) -> bool:
    """Whether a path in the novel is one of the watched files."""
    name = path.rpartition("/")[2]
    if name.startswith(".") and path != places.CHECKPOINT:
        return False
    return path in FILES or (path.endswith(_ENDINGS) and path.startswith(_PREFIXES))


_PREFIXES = tuple(f"{folder}/" for folder in FOLDERS)


class WatchedFiles:
    """The state of a novel's files at the last scan. Used by one thread."""

    def __init__(self, root: Root, wait: Callable[[float], object] | None = None) -> None:
        self._root = root
        self._last_look: dict[str, _LastLook] = {}
        self._wait = wait or threading.Event().wait

    def rescan(self, paths: Iterable[str] | None = None) -> list[FileChange]:
        """Returns the changes since the last scan: of these files, or of all for None.

        A file that is being written is waited for. An unreadable file keeps its previous state and
        is scanned again the next time.
        """
        stamps = self._stamps() if paths is None else self._stamps_of(paths)
        missing = (
            self._last_look.keys() - stamps.keys() if paths is None else set(paths) - stamps.keys()
        )
        deleted = sorted(missing & self._last_look.keys())
        if deleted:  # some editors delete a file and recreate it
            self._wait(SETTLING)
            stamps.update(self._stamps_of(deleted))
            deleted = [path for path in deleted if path not in stamps]
        gone = [(path, self._last_look.pop(path).sha) for path in deleted]
        changes = [
            FileChange(path, sha, None)
            for path, sha in gone
            if not is_own(self._root.path / path, None)
        ]
        for path, stamp in sorted(stamps.items()):
            previous = self._last_look.get(path)
            if previous is not None and previous.stamp == stamp:
                continue
            change = self._look_at(path, previous)
            if change is not None:
                changes.append(change)
        return changes

    def _look_at(self, path: str, previous: _LastLook | None) -> FileChange | None:
        present = self._wait_until_settled(path)
        if present is None:
            return None
        self._last_look[path] = present
        previous_sha = previous.sha if previous else None
        if present.sha == previous_sha or is_own(self._root.path / path, present.sha):
            return None
        return FileChange(path, previous_sha, present.sha)

    def _wait_until_settled(self, path: str) -> _LastLook | None:
        """Returns the file's state once nobody writes it; None if it is missing or unreadable."""
        seconds = 0.0
        try:
            while True:
                info_before = self._root.info(path)
                if info_before is None:
                    return None
                busy = _is_fresh(info_before) and self._root.being_written(path)
                if busy is not False and seconds < _LONGEST:
                    pause = _STEP if busy else SETTLING
                    self._wait(pause)
                    seconds += pause
                    if busy:
                        continue
                data = self._root.find(path)
                info_after = self._root.info(path)
                if data is None or info_after is None:
                    return None
                if stamp_of(info_before) == stamp_of(info_after):
                    return _LastLook(stamp_of(info_after), sha256_hex(data))
        except StudioError:
            return None

    def _stamps(self) -> dict[str, Stamp]:
        stamps = self._stamps_of(FILES)
        for folder in FOLDERS:
            stamps.update(_below(self._root.path, folder))
        return stamps

    def _stamps_of(self, paths: Iterable[str]) -> dict[str, Stamp]:
        stamps = {}
        for path in paths:
            try:
                info = os.stat(self._root.path / path, follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISREG(info.st_mode):
                stamps[path] = stamp_of(info)
        return stamps


def _is_fresh(info: os.stat_result) -> bool:
    return time.time() - info.st_mtime < _FRESH


def _below(root: Path, folder: str) -> Iterator[tuple[str, Stamp]]:
    """Yields every watched file below a folder; links are not followed."""
    try:
        with os.scandir(root / folder) as entries:
            entries_below = list(entries)
    except OSError:
        return
    for entry in entries_below:
        path = f"{folder}/{entry.name}"
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _below(root, path)
            elif is_watched(path) and entry.is_file(follow_symlinks=False):
                yield path, stamp_of(entry.stat(follow_symlinks=False))
        except OSError:
            continue
