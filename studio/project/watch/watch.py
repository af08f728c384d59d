"""Watches for changes made in other editors (seed U5, performance P14).

File system events only indicate when to scan. Where events are unavailable, as on network file
systems, the files are scanned twice a second.
"""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic

from studio.fsio import Root, remember_writes
from studio.project.watch.snapshot import FileChange, WatchedFiles, is_watched

DEBOUNCE, STEP = 100, 10
"""Milliseconds: the maximum time a burst is collected, and the silence that ends it."""
POLL = 0.5
"""Seconds between two scans without events."""
_BEAT, _EVERY = 200, 25
"""The timeout of one wait for events in milliseconds, and the number of such timeouts between two
full scans."""
_MANY = 20
"""The number of files in one batch that counts as a burst."""
_LONGEST = 2.0
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
                for hints in self._polled(ready) if self.polling else self._events(ready):
                    self._look(hints, tell)

    def _look(self, hints: Iterable[str] | None, tell: Tell) -> None:
        """Scans and reports changes. A missing folder is reported once; its files do not count as
        deleted."""
        is_gone = _identity(self._root.path) is None
        toggled, self.is_gone = is_gone != self.is_gone, is_gone
        changes = [] if is_gone else self.files.rescan(hints)
        if (changes or toggled) and not self._stop.is_set():
            tell(changes)

    def _polled(self, ready: Callable[[], object]) -> Iterator[None]:
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
        return monotonic() - self._since < _LONGEST

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
