"""Bytes of files that nobody has changed since they were read, by what the file system says of
them: a prompt asks for hundreds of entries of which a writer changes one a day."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_SETTLED = 3_000_000_000
"""Nanoseconds after which no further change bears the time of the last one, on any file system."""
_LARGEST, _MOST = 1 << 14, 1 << 23
"""Bytes of a file, and of all files, that are remembered."""


class UnchangedFiles:
    """What was read, by the file's identity and the time of its last change of any kind, which no
    program can set."""

    def __init__(self) -> None:
        self._files: dict[tuple[int, int], tuple[tuple[int, int, int], bytes]] = {}
        self._size = 0

    def bytes_of(self, info: os.stat_result) -> bytes | None:
        """What stands in a file of which the file system says this; None where it has to be
        read."""
        state, data = self._files.get((info.st_dev, info.st_ino), ((), None))
        return data if state == (info.st_ctime_ns, info.st_mtime_ns, info.st_size) else None

    def remember(self, info: os.stat_result, data: bytes) -> None:
        """`info` was said before the bytes were read; a file that changed just now may change
        again without a sign."""
        if len(data) > _LARGEST or time.time_ns() - info.st_ctime_ns < _SETTLED:
            return
        self._size += len(data)
        if self._size > _MOST:
            self._files.clear()
            self._size = len(data)
        state = info.st_ctime_ns, info.st_mtime_ns, info.st_size
        self._files[info.st_dev, info.st_ino] = state, data


class MadeOnce(Generic[T]):
    """What was made of the bytes of one file, whoever asks, while they are the same: of a long
    one it takes a while. They are compared, in a tenth of the time that a key of them takes."""

    def __init__(self, make: Callable[[bytes], T]) -> None:
        self._make = make
        self._latest: tuple[bytes, T] | None = None

    def of(self, data: bytes) -> T:
        """What these bytes make."""
        latest = self._latest  # both at once: other threads ask as well
        if latest is None or latest[0] != data:
            latest = self._latest = data, self._make(data)
        return latest[1]
