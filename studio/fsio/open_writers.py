"""Detects whether a file is still being written: a text must not be read during a save (P14)."""

from __future__ import annotations

import fcntl
import os
import signal

_F_SETSIG = 10
"""Linux's fcntl.F_SETSIG, which Python's module does not define."""


def being_written(fd: int) -> bool | None:
    """Whether a process has the file open for writing; None if that cannot be determined.

    Linux grants a read lease only on a file that nobody has open for writing. The lease is released
    immediately. Anyone who opens the file at that very moment waits for the release, and the kernel
    notifies this process with a signal that is ignored by default.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    try:
        fcntl.fcntl(fd, _F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:
        return None
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def stamp_of(info: os.stat_result) -> tuple[int, int, int]:
    """Returns the stamp that distinguishes states of a file without reading it."""
    return info.st_mtime_ns, info.st_size, info.st_ino
