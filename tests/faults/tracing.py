"""Faults inside the kernel's answers, by strace: a signal or an error at the n-th call of a name.

A step runs in a child that was forked with everything imported and waits until
strace has taken hold of it, so that only the step's own calls are counted.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NoReturn

from studio.errors import StudioError
from tests.faults import tally

CHANGES = (
    *("write", "fsync", "ftruncate", "fchmod", "fchmodat"),
    *("rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat"),
)
"""Calls that change what is on the disk, after the file is open."""
READY = b"."
LONGEST = 120
"""Seconds after which a step hangs: far more than any takes on a busy machine."""
_HANGS = "Timeout ("
"""How the stacks of a step that hangs begin."""
_ANY_TRACER = 0x59616D61, -1  # PR_SET_PTRACER, PR_SET_PTRACER_ANY
_CALL = re.compile(r"^(?:\[pid +\d+\] )?(?:\d+ +)?(\w+)\(", re.MULTILINE)


@dataclass(frozen=True)
class Ended:
    """How a traced step ended."""

    code: int
    """0 done, 1 a StudioError, 2 any other exception, or minus the signal."""
    said: str = ""
    """The error in the words that a writer gets, or the traceback nobody should get."""
    calls: Counter[str] = field(default_factory=Counter)
    """Calls of each traced name."""


@cache
def unavailable() -> str:
    """Why there is no tracing here; empty if there is."""
    if sys.platform != "linux":
        return "strace is a program of Linux"
    if shutil.which("strace") is None:
        return "strace is not installed"
    if traced(lambda: os.getppid(), "getppid").calls["getppid"] == 0:
        return "ptrace is not allowed here"
    return ""


def traced(
    step: Callable[[], object],
    names: str,
    inject: str = "",
    begin: Callable[[], object] = lambda: None,
) -> Ended:
    """Runs the step in a child under strace; `inject` as strace takes it, without the name.

    `begin` makes what the step works on as it is before. A step that hangs is begun once more:
    where the interpreter passes its lock from thread to thread it waits without a limit for a
    signal, which the C library can lose (glibc before 2.41, its bug 25847), and tracing makes that
    likelier. What hangs by the fault does so again.
    """
    begin()
    ended = _traced(step, names, inject)
    if ended.said.startswith(_HANGS):
        tally.fault("steps that hung once and not again")
        begin()
        ended = _traced(step, names, inject)
    assert not ended.said.startswith(_HANGS), f"a step hangs ({names}:{inject}):\n{ended.said}"
    return ended


def _traced(step: Callable[[], object], names: str, inject: str) -> Ended:
    go, come = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        _wait_and_run(step, go, come)
    os.close(go[0])
    os.close(come[1])
    os.read(come[0], len(READY))
    command = ["strace", "-f", "-q", "-q", "-p", str(pid), "-e", f"trace={names}"]
    command += ["-e", f"inject={names}:{inject}"] if inject else []
    with tempfile.TemporaryFile() as seen:
        tracer = subprocess.Popen(command, stderr=seen, stdin=subprocess.DEVNULL)
        attached(pid, tracer)
        os.write(go[1], b"!")
        os.close(go[1])
        with os.fdopen(come[0], "rb") as stream:
            said = stream.read().decode(errors="replace")
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        tracer.wait()
        seen.seek(0)
        calls = Counter(_CALL.findall(seen.read().decode(errors="replace")))
    return Ended(code, said, calls)


def attached(pid: int, tracer: subprocess.Popen[bytes]) -> None:
    """Waits until strace holds the child, or has given up."""
    status = Path(f"/proc/{pid}/status")
    while tracer.poll() is None:
        match = re.search(r"TracerPid:\s+(\d+)", status.read_text())
        if match and int(match[1]):
            return


def _wait_and_run(
    step: Callable[[], object], go: tuple[int, int], come: tuple[int, int]
) -> NoReturn:
    """Nothing is traced before it says that it is ready, and then only `select` waits: no fault
    that is meant for the step hits what comes before. One that hangs ends by itself, and says where
    each of its threads stands."""
    code, said = 2, "it never began"
    with suppress(BaseException):
        os.close(go[1])
        os.close(come[0])
        ctypes.CDLL(None).prctl(*_ANY_TRACER, 0, 0, 0)
        faulthandler.dump_traceback_later(LONGEST, exit=True, file=come[1])
        os.write(come[1], READY)
        select.select([go[0]], [], [])
        code, said = _outcome(step)
        for _ in range(9):  # the fault may be in the next writes
            with suppress(OSError):
                if not said or os.write(come[1], said.encode()):
                    break
    os._exit(code)


def _outcome(step: Callable[[], object]) -> tuple[int, str]:
    try:
        step()
    except StudioError as error:
        return 1, f"{error.problem.message}\n{error.problem.hint}"
    except BaseException as error:
        return 2, "".join(traceback.format_exception(error))
    return 0, ""
