"""Whether somebody is still writing a file: a text that is being saved must not be read (P14)."""

from __future__ import annotations

import fcntl
import os
import signal

_F_SETSIG = 10
"""fcntl.F_SETSIG of Linux, which the module does not name."""


def being_written(fd: int) -> bool | None:
    """Whether a process has the file open for writing; None where that cannot be known.

    Linux grants a read lease only on a file that nobody has open for writing.
    The lease is given back at once. Should somebody open the file at that very
    moment, he waits for it, and we are told by a signal that is ignored unless
    it is asked for.
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
    """What tells one state of a file from another without reading it."""
    return info.st_mtime_ns, info.st_size, info.st_ino
