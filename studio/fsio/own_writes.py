"""What this process writes itself, by sha256, so that a watch tells it from what others write.

Known is the text a file was given last and, while it is being put in place, the
one to come; never a span of time. Nothing is kept of folders nobody watches.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from studio.fsio.read import sha256_hex

GONE = ""
"""Instead of a sha256: there is no file."""
_lock = threading.Lock()
_watchers: Counter[Path] = Counter()
_present: dict[Path, str] = {}
_coming: dict[Path, str] = {}


@contextmanager
def remember_writes(folder: Path) -> Iterator[None]:
    """Remembers what is written below a folder, as long as somebody watches it."""
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
    """Whether what is written below the folder has to be remembered."""
    return folder in _watchers


def noted(folder: Path, rel: str, data: bytes | None) -> AbstractContextManager[None]:
    """Notes a write below the folder, or for None a removal, where somebody watches it."""
    if not is_watched(folder):
        return nullcontext()
    return writing(folder / rel, GONE if data is None else sha256_hex(data))


@contextmanager
def writing(path: Path, sha256: str) -> Iterator[None]:
    """Notes a write as our own while the block puts the text in place."""
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
    """Whether the file holds what this process wrote into it last, or is writing now; None: it is
    gone, and this process took it away."""
    with _lock:
        return (GONE if sha256 is None else sha256) in (_present.get(path), _coming.get(path))
