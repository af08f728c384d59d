"""Processes of their own for what is killed or held.

A child that ran on into its parent's tests would run them a second time, and
report them to the same run.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable

from studio.errors import StudioError


def started(work: Callable[[], object]) -> int:
    """The process id of a child that does the work and then ends, however the work ends: with 0,
    1 for a StudioError, 2 for anything else."""
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
    """Does the work in a child and waits for it: its exit code, or minus the signal that ended
    it."""
    return os.waitstatus_to_exitcode(os.waitpid(started(work), 0)[1])
