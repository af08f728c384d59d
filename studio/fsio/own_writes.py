"""Records this process's own writes by sha256, so that a watch can tell them from others' changes.

Recorded are the last text written to a file and, during a replacement, the coming one; never a span
of time. Nothing is recorded for folders that nobody watches.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from studio.fsio.read import sha256_hex

GONE = ""
"""Stands for a missing file in place of a sha256."""
_lock = threading.Lock()
_watchers: Counter[Path] = Counter()
_present: dict[Path, str] = {}
_coming: dict[Path, str] = {}


@contextmanager
def remember_writes(folder: Path) -> Iterator[None]:
    """Records the writes below a folder for as long as somebody watches it."""
    with _lock:
        _watchers[folder] += 1
    try:
        yield
    finally:
        with _lock:
            _watchers[folder] -= 1
            if not _watchers[folder]:
                del _watchers[folder]
                for memory in (_present, _coming):
                    for path in [path for path in memory if path.is_relative_to(folder)]:
                        del memory[path]


def is_watched(folder: Path) -> bool:
    """Whether writes below the folder have to be recorded."""
    return folder in _watchers


def note_write(folder: Path, rel: str, data: bytes | None) -> AbstractContextManager[None]:
    """Records a write below the folder (for None a removal) if somebody watches it."""
    if not is_watched(folder):
        return nullcontext()
    return note_while_writing(folder / rel, GONE if data is None else sha256_hex(data))


@contextmanager
def note_while_writing(path: Path, sha256: str) -> Iterator[None]:
    """Records a write as this process's own while the block puts the text in place."""
    with _lock:
        _coming[path] = sha256
    try:
        yield
        with _lock:
            _present[path] = sha256
    finally:
        with _lock:
            _coming.pop(path, None)


def is_own(path: Path, sha256: str | None) -> bool:
    """Whether the file holds what this process last wrote or is now writing; for None, whether this
    process removed it."""
    with _lock:
        return (GONE if sha256 is None else sha256) in (_present.get(path), _coming.get(path))
