"""Named points at which a test can make this process fail. Inactive unless STUDIO_FAULT is set."""

from __future__ import annotations

import errno
import os
import signal
import sys
from typing import NamedTuple


class _Fault(NamedTuple):
    name: str
    action: str
    first: int
    onwards: bool


_fault: _Fault | None = None
_passings = 0


def arm(setting: str) -> None:
    """Activates the fault described by `setting` (see `point`), or none if it is empty.

    Called at import with the environment's STUDIO_FAULT.
    """
    global _fault, _passings
    _fault, _passings = None, 0
    if setting:
        name, action, count = [*setting.split(":"), "1"][:3]
        _fault = _Fault(name, action, int(count.rstrip("+")), count.endswith("+"))


def point(name: str) -> None:
    """Marks a named place where a test may make this process fail.

    STUDIO_FAULT=name:action[:n] acts on the n-th pass (`n+`: and on every later one). Actions:
    `count` prints the pass on stderr, a lower-case signal (`kill`, `stop`) is sent to this process,
    an errno name (`ENOSPC`) is raised. `fsio.any` stands for every file change.
    """
    global _passings
    if _fault is None or _fault.name != name:
        return
    _passings += 1
    if _fault.action == "count":
        sys.stderr.write(f"{name}\n")
    elif _passings != _fault.first and not (_fault.onwards and _passings > _fault.first):
        return
    elif _fault.action.islower():
        os.kill(os.getpid(), signal.Signals[f"SIG{_fault.action.upper()}"])
    else:
        number = getattr(errno, _fault.action)
        raise OSError(number, os.strerror(number))


def step(kind: str) -> None:
    """Marks one file change: passes `fsio.<kind>` and `fsio.any`."""
    if _fault is not None:
        point(f"fsio.{kind}")
        point("fsio.any")


arm(os.environ.get("STUDIO_FAULT", ""))
