"""What keeps the plugin process to itself, where the system is Linux: it cannot look into other
processes, whose environment holds keys, and nothing that it starts outlives it.

Landlock and the calls of prctl are asked for by number, because Python has no names for them. Where
a kernel lacks one, the process runs without it: a plugin is trusted, and this is a second fence.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
from contextlib import suppress

MARK = "STUDIO_PLUGINS_OF"
"""The environment variable by which a process is known to have been started by a plugin."""

_SET_DUMPABLE, _SET_NO_NEW_PRIVILEGES = 4, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _BENEATH = 1, 1
_MAKE_BLOCK_DEVICE, _MOVE_BETWEEN_FOLDERS = 1 << 11, 1 << 13
_KNOWS_MOVES = 2
"""The first version of Landlock that can allow moves between folders, which all versions forbid
otherwise."""
_ROUNDS = 5
"""How often processes are looked for that others started while they were being ended."""


def hide_this_process() -> None:
    """Lets no other process of the same person read this one's environment and memory, except the
    system's administrator."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def stay_inside() -> bool:
    """Puts this process and all it starts into a domain of its own, which cannot look into or
    trace any process outside; returns whether the kernel did so.

    A domain needs something that it forbids: here block devices, which no plugin makes.
    """
    if sys.platform != "linux":
        return False
    try:
        call, prctl = ctypes.CDLL(None).syscall, ctypes.CDLL(None).prctl
        version = call(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)
        if version < 1:
            return False
        moves = _MOVE_BETWEEN_FOLDERS if version >= _KNOWS_MOVES else 0
        rights = struct.pack("Q", _MAKE_BLOCK_DEVICE | moves)
        ruleset = call(_CREATE_RULESET, rights, ctypes.c_size_t(len(rights)), 0)
        if ruleset < 0:
            return False
        try:
            if moves:
                top = os.open("/", os.O_PATH | os.O_CLOEXEC)
                call(_ADD_RULE, ruleset, _BENEATH, struct.pack("=Qi", moves, top), 0)
                os.close(top)
            prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
            return bool(call(_RESTRICT_SELF, ruleset, 0) == 0)
        finally:
            os.close(ruleset)
    except (OSError, AttributeError):
        return False


def end_marked(mark: str) -> None:
    """Ends every process with this mark but the present one, also those that have left the group
    and the session in which they began."""
    for _ in range(_ROUNDS):
        running = [pid for pid in _processes() if _is_marked(pid, mark)]
        for pid in running:
            with suppress(OSError):
                _end(pid, mark)
        if not running:
            return


def _end(pid: int, mark: str) -> None:
    """Ends a process, unless another one has got its number meanwhile."""
    process = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else -1
    try:
        if not _is_marked(pid, mark):
            return
        if process < 0:
            os.kill(pid, signal.SIGKILL)
        else:
            signal.pidfd_send_signal(process, signal.SIGKILL)
    finally:
        if process >= 0:
            os.close(process)


def _processes() -> list[int]:
    try:
        names = os.listdir("/proc") if sys.platform == "linux" else []
    except OSError:
        return []
    return [int(name) for name in names if name.isdecimal() and int(name) != os.getpid()]


def _is_marked(pid: int, mark: str) -> bool:
    """Whether a process began with the mark; one that has ended has no environment any more."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as environ:
            return f"{MARK}={mark}".encode() in environ.read().split(b"\0")
    except OSError:
        return False
