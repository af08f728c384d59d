"""Child processes for work that will be killed or held.

A child that returned into its parent's tests would run them a second time and report them to the
same run.
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable

from studio.errors import StudioError

_LOCKED_UP = 150
"""Seconds after which a child that has not ended is taken for one that never begins."""


def started(work: Callable[[], object]) -> int:
    """Returns the process id of a child that runs `work` and always exits afterwards: with 0, with
    1 after a StudioError, or with 2 after any other exception."""
    pid = os.fork()
    if pid:
        return pid
    code = 2
    try:
        work()
        code = 0
    except StudioError:
        code = 1
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def in_child(work: Callable[[], object]) -> int:
    """Runs `work` in a child and waits; returns its exit code, or the negated number of the signal
    that ended it."""
    child, until = started(work), time.monotonic() + _LOCKED_UP
    while (end := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.monotonic() > until:  # it was forked while another thread held a lock
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            child, until = started(work), time.monotonic() + _LOCKED_UP
        time.sleep(0.002)
    return os.waitstatus_to_exitcode(end[1])
