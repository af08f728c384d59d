"""Caches the bytes of unchanged files by their stat results: a prompt needs hundreds of entries, of
which a writer changes about one a day."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_SETTLED = 3_000_000_000
"""Nanoseconds after which no further change can get the same timestamp, on any file system."""
_LARGEST, _MOST = 1 << 14, 1 << 23
"""The most bytes remembered of a single file, and of all files together."""


class UnchangedFiles:
    """A cache of file contents, by the file's identity and the time of its last change of any kind
    (ctime), which no program can set."""

    def __init__(self) -> None:
        self._files: dict[tuple[int, int], tuple[tuple[int, int, int], bytes]] = {}
        self._size = 0

    def bytes_of(self, info: os.stat_result) -> bytes | None:
        """Returns the content of the file with this stat result; None if it has to be read."""
        state, data = self._files.get((info.st_dev, info.st_ino), ((), None))
        return data if state == (info.st_ctime_ns, info.st_mtime_ns, info.st_size) else None

    def remember(self, info: os.stat_result, data: bytes) -> None:
        """Caches bytes read after `info` was taken, unless the file changed so recently that a
        further change could go unnoticed."""
        if len(data) > _LARGEST or time.time_ns() - info.st_ctime_ns < _SETTLED:
            return
        self._size += len(data)
        if self._size > _MOST:
            self._files.clear()
            self._size = len(data)
        state = info.st_ctime_ns, info.st_mtime_ns, info.st_size
        self._files[info.st_dev, info.st_ino] = state, data


class MadeOnce(Generic[T]):
    """Caches the value computed from one file's bytes for all callers while the bytes stay the
    same, since a long file takes a while. Comparing bytes takes a tenth of the time of hashing
    them."""

    def __init__(self, make: Callable[[bytes], T]) -> None:
        self._make = make
        self._latest: tuple[bytes, T] | None = None

    def of(self, data: bytes) -> T:
        """Returns the value computed from these bytes."""
        latest = self._latest  # read both at once: other threads call this as well
        if latest is None or latest[0] != data:
            latest = self._latest = data, self._make(data)
        return latest[1]
