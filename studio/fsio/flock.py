"""Files held by one process at a time, folders changed by one process at a time, and private
folders."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

from studio.fsio.descriptors import FOLDER, READ, open_file
from studio.fsio.messages import in_words
from studio.fsio.read import Readable, parts_of


def hold(root: Readable, rel: str) -> tuple[int, Literal["ours", "theirs", "unknown"]]:
    """Opens a file and tries to take an exclusive flock on it.

    Returns the descriptor (the caller closes it, which releases the flock) and the owner of the
    flock: `theirs` if another process holds it, `unknown` if the file system does not support
    flock.
    """
    *folders, name = parts_of(rel)
    with in_words(rel, "open"), root.folder(folders) as at:
        try:
            fd = open_file(name, READ | os.O_RDWR, at, rel)
        except PermissionError:
            fd = open_file(name, READ, at, rel)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return fd, "theirs"
        except OSError:
            return fd, "unknown"
        return fd, "ours"


_TURNS = 50
_PAUSE = 0.01


@contextmanager
def in_turn(root: Readable) -> Iterator[bool]:
    """Lets the processes of this machine enter the block one at a time per folder; yields False if
    another was still inside after half a second. Without flock support, all of them enter."""
    try:
        fd = os.open(root.path, FOLDER)
    except OSError:
        yield True
        return
    try:
        yield _is_ours(fd)
    finally:
        with suppress(OSError):
            os.close(fd)


def _is_ours(fd: int) -> bool:
    for _ in range(_TURNS):
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            return True
        else:
            return True
    return False


def close_to_others(root: Readable) -> None:
    """Restricts a folder to its owner (0700), where the file system has owners."""
    with suppress(OSError):
        os.chmod(root.path, 0o700)
