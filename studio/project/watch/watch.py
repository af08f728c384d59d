"""Watches for changes made in other editors (seed U5, performance P14).

File system events only indicate when to scan. Where events are unavailable, as on network file
systems, the files are scanned twice a second. A scan compares stamps, then hashes: only the text of
a file counts, never the kind of an event (reliability F15, F16). This process's own writes are
recognized by sha256 (F17).
"""

from __future__ import annotations

import os
import platform
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from studio.errors import StudioError
from studio.fsio import Root, is_own, remember_writes, sha256_hex, stamp_of
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
_LONGEST_SAVE = 1.0
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
                if busy is not False and seconds < _LONGEST_SAVE:
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


DEBOUNCE, STEP = 100, 10
"""Milliseconds: the maximum time a burst is collected, and the silence that ends it."""
POLL = 0.5
"""Seconds between two scans without events."""
_BEAT, _EVERY = 200, 25
"""The timeout of one wait for events in milliseconds, and the number of such timeouts between two
full scans."""
_MANY = 20
"""The number of files in one batch that counts as a burst."""
_LONGEST_BURST = 2.0
"""The maximum time in seconds to wait for the end of a burst."""
_REMOTE = ("nfs", "cifs", "smb", "9p", "fuse.sshfs", "vboxsf", "drvfs", "afs", "davfs", "virtiofs")
"""File systems on which changes from another machine raise no event here."""

Tell = Callable[[Sequence[FileChange]], object]


class Watch:
    """Watches the files of one novel, in a thread of the caller's until it is stopped."""

    def __init__(self, root: Root, polling: bool | None = None) -> None:
        self._root = root
        self._stop = threading.Event()
        self._poll_request = threading.Event()
        self.files = WatchedFiles(root, self._stop.wait)
        self.polling = needs_polling(root.path) if polling is None else polling
        """Whether to poll because events are unavailable."""
        self.is_gone = False
        """Whether the novel's folder is missing."""

    def stop(self) -> None:
        """Makes `run` return soon."""
        self._stop.set()

    def look_soon(self) -> None:
        """Requests a full scan within a moment, regardless of events."""
        self._poll_request.set()

    def run(self, tell: Tell, ready: Callable[[], object] = lambda: None) -> None:
        """Reports every change to `tell` until `stop`; calls `ready` after the first scan."""
        with remember_writes(self._root.path):
            self.files.rescan()
            while not self._stop.is_set():
                for hints in self._poll(ready) if self.polling else self._events(ready):
                    self._look(hints, tell)

    def _look(self, hints: Iterable[str] | None, tell: Tell) -> None:
        """Scans and reports changes. A missing folder is reported once; its files do not count as
        deleted."""
        is_gone = _identity(self._root.path) is None
        toggled, self.is_gone = is_gone != self.is_gone, is_gone
        changes = [] if is_gone else self.files.rescan(hints)
        if (changes or toggled) and not self._stop.is_set():
            tell(changes)

    def _poll(self, ready: Callable[[], object]) -> Iterator[None]:
        ready()
        while not self._stop.wait(POLL):
            yield None

    def _events(self, ready: Callable[[], object]) -> Iterator[list[str] | None]:
        """Yields which files may have changed, None for any. Returns if the folder disappears or
        events become unavailable."""
        from watchfiles import watch

        place, silences, burst = _identity(self._root.path), 0, _Burst()
        if place is None:
            yield None
            self._stop.wait(POLL)
            return
        try:
            for batch in watch(
                self._root.path,
                watch_filter=None,
                debounce=DEBOUNCE,
                step=STEP,
                rust_timeout=_BEAT,
                yield_on_timeout=True,
                stop_event=self._stop,
                raise_interrupt=False,
                force_polling=False,
                ignore_permission_denied=True,
            ):
                hints = self._hints(path for _, path in batch) if batch else None
                silences += not batch
                if batch and burst.holds(hints):
                    continue
                paths = {*burst.take(), *(hints or ())}
                if batch and hints is None:
                    yield None
                elif paths:
                    yield sorted(paths)
                elif not batch and (silences % _EVERY == 1 or self._poll_request.is_set()):
                    self._poll_request.clear()
                    yield None
                if silences == 1:
                    ready()
                if _identity(self._root.path) != place:
                    return
        except (OSError, RuntimeError):
            self.polling = _identity(self._root.path) is not None

    def _hints(self, paths: Iterable[str]) -> list[str] | None:
        """Returns the files named by events; None if a folder was created, deleted or renamed."""
        folder, files = str(self._root.path), set[str]()
        for path in paths:
            rel = path.removeprefix(folder).lstrip("/")
            if is_watched(rel):
                files.add(rel)
            elif not rel or _may_be_folder(rel, path):
                return None
        return sorted(files)


class _Burst:
    """Many files that change in succession, as in a checkout: reported at its end."""

    def __init__(self) -> None:
        self._paths: set[str] = set()
        self._since = 0.0

    def holds(self, hints: list[str] | None) -> bool:
        """Collects the files of a burst; returns False if there is no burst, or it takes too
        long."""
        if hints is None or not (self._paths or len(hints) > _MANY):
            return False
        if not self._paths:
            self._since = monotonic()
        self._paths.update(hints)
        return monotonic() - self._since < _LONGEST_BURST

    def take(self) -> set[str]:
        """Returns the paths that were held back, and forgets them."""
        paths, self._paths = self._paths, set()
        return paths


def needs_polling(folder: Path, mounts: Path = Path("/proc/mounts")) -> bool:
    """Whether events are unavailable for the folder: in WSL, and on file systems of other
    machines."""
    if "microsoft-standard" in platform.release():
        return True
    try:
        lines = mounts.read_text(errors="replace").splitlines()
    except OSError:
        return False
    above = {str(folder), *map(str, folder.parents)}
    fields = [line.split(" ") for line in lines]
    mounts_above = [(f[1], f[2]) for f in fields if len(f) > 2 and f[1] in above]
    kind = max(mounts_above, key=lambda mount: len(mount[0]), default=("", ""))[1]
    return kind.startswith(_REMOTE)


def _may_be_folder(rel: str, path: str) -> bool:
    """Whether a name may be a folder of ours; frequently changing ones (logs, history) do not
    count."""
    first, _, rest = rel.partition("/")
    if first.startswith(".") or first in ("logs", "history", "variations") or rel.endswith("~"):
        return False
    name = rest.rpartition("/")[2] or first
    return "." not in name and (os.path.isdir(path) or not os.path.lexists(path))


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        info = folder.stat()
    except OSError:
        return None
    return info.st_dev, info.st_ino
