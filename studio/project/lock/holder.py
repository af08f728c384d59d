"""Determines who holds a novel by reading .novel.lock without touching it (for every command)."""

from __future__ import annotations

import fcntl
import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from studio.errors import StudioError
from studio.foreign_json import read_json
from studio.fsio import Root
from studio.messages import said
from studio.project import layout as places
from studio.story.records import LockInfo

SILENT_SECONDS = 30 * 60
"""Seconds without a heartbeat after which breaking a lock is offered (seed E9)."""
_QUIET_SECONDS = 120
"""Seconds (six heartbeats) before messages mention the time of the last heartbeat."""
SETTLE_SECONDS = 10
"""Seconds for which a lock without a readable info.json may still be under construction."""

OURS: set[str] = set()
"""The tokens of the locks that this process holds."""

LockState = Literal["free", "held", "dead", "foreign", "damaged"]


@dataclass(frozen=True, slots=True)
class LockView:
    """The state of a novel's lock: who holds it, and whether it may be broken."""

    state: LockState
    """free; held: the holder is alive on this host; dead: its process is gone, or the lock is an
    empty folder that nobody has touched for 30 minutes; foreign: held on another host, where the
    process cannot be checked; damaged: the holder is unknown."""
    holder: LockInfo | None = None
    heartbeat_age: float | None = None
    """The seconds since the last heartbeat; None if the clock gives an impossible value."""
    breakable: bool = False
    """Whether to offer to break the lock: only after a person confirms."""
    certain: bool = True
    """Whether the state is final; false if it may be different a moment later."""
    why: str = ""

    def sentence(self) -> str:
        """Returns a sentence that says who holds the novel."""
        holder = self.holder
        if self.state == "dead" and holder is None:
            return said(
                "An empty lock without a holder was left behind {age} ago.", age=self._age()
            )
        if holder is None or self.state == "damaged":
            why = self.why
            if self.heartbeat_age is not None:
                why = said("{why} (touched {age} ago)", why=why, age=_ago(self.heartbeat_age))
            return said("The lock of this novel is damaged: {why}.", why=why)
        since = said("since {time}", time=_clock(holder.started))
        if holder.chapter is not None:
            since = said(
                "since {time}, chapter {chapter}",
                time=_clock(holder.started),
                chapter=holder.chapter,
            )
        if self.state == "dead":
            return said(
                "A run that worked on this book {since} ended without releasing it.", since=since
            )
        where = (
            said("in another window")
            if _names_no_other(holder)
            else said("on {host}", host=holder.host)
        )
        if self.is_ours:
            return said("The studio is at work on this book {since}.", since=since)
        silent = self.heartbeat_age is None or self.heartbeat_age < _QUIET_SECONDS
        if silent:
            return said("This book is being written {where} {since}.", where=where, since=since)
        return said(
            "This book is being written {where} {since}; last sign of life {age} ago.",
            where=where,
            since=since,
            age=_ago(self.heartbeat_age or 0),
        )

    def process(self) -> str:
        """The holder's process, for somebody who has to end it by hand; empty if unknown."""
        holder = self.holder
        if holder is None:
            return ""
        if not holder.host:
            return said("process {pid}, begun {started}", pid=holder.pid, started=holder.started)
        return said(
            "process {pid} on {host}, begun {started}",
            pid=holder.pid,
            host=holder.host,
            started=holder.started,
        )

    @property
    def is_ours(self) -> bool:
        """Whether this process holds the lock."""
        return self.holder is not None and self.holder.token in OURS

    @property
    def is_elsewhere(self) -> bool:
        """Whether another process holds the lock, on this host or, as far as anybody knows, on
        another."""
        return self.state in ("held", "foreign") and not self.is_ours

    def farewell(self) -> str:
        """The message of a run that takes over a dead lock."""
        if self.holder is None:
            return said(
                "An empty lock that nobody had touched for {age} was removed.", age=self._age()
            )
        return said(
            "The studio broke off in the middle the last time; this goes on from what was saved."
        )

    def _age(self) -> str:
        return _ago(self.heartbeat_age or 0)

    def hint(self) -> str:
        """A sentence on what the writer can do about the lock."""
        if self.state == "dead":
            return said("The next command that writes takes it over.")
        if self.is_ours:
            return said("Wait until it is done, or stop it first.")
        if self.state == "held" and not self.breakable:
            return said("Wait until it is done, or end it there.")
        if not self.certain:
            return said("It may still be starting: try again in a few seconds.")
        if not self.breakable:
            return said("Look at {lock} and move it away by hand.", lock=places.LOCK)
        return said("If nobody works on this novel any more, run `studio repair --break-lock`.")


def read_lock(folder: Path | str) -> LockView:
    """Reads the lock without changing anything or waiting."""
    root = Root(folder)
    info = root.info(places.LOCK)
    if info is None:
        return LockView("free")
    if not root.is_folder(places.LOCK):
        return LockView("damaged", why=f"{places.LOCK} is not a folder")
    try:
        data = root.find(places.LOCK_INFO)
    except StudioError as error:
        return LockView("damaged", why=error.problem.message.rstrip("."))
    if data is None and root.info(places.LOCK) is None:
        return LockView("free")
    newest = root.info(places.LOCK_INFO) or info
    holder, why = _parse(data)
    age = time.time() - _last_sign(holder, newest.st_mtime)
    shown_age = age if age >= 0 else None
    if _is_flocked(root):
        silent = age > SILENT_SECONDS
        dead = holder is not None and _names_no_other(holder) and not is_running(holder)
        return LockView("held", holder, shown_age, silent, certain=not dead, why=why)
    if holder is None and age > SILENT_SECONDS and not root.names(places.LOCK):
        return LockView("dead", None, shown_age, breakable=True)
    if holder is None:
        young = 0 <= age < SETTLE_SECONDS
        return LockView("damaged", None, shown_age, not young, certain=not young, why=why)
    if not _is_of_this_machine(holder, newest.st_mtime):
        return LockView("foreign", holder, shown_age, breakable=True)
    if is_running(holder):
        return LockView("held", holder, shown_age, age > SILENT_SECONDS)
    return LockView("dead", holder, shown_age, breakable=True)


def _parse(data: bytes | None) -> tuple[LockInfo | None, str]:
    if data is None:
        return None, said("it has no info.json")
    try:
        return LockInfo.model_validate(read_json(data, dict)), ""
    except ValueError:
        return None, said("its info.json cannot be read")


def _last_sign(holder: LockInfo | None, touched_at: float) -> float:
    """The time of the holder's last sign of life: when its file was touched. A record in the seed's
    own form gets no heartbeat, and its file may be a copy: it counts from when it was `started`."""
    if holder is None or holder.token:
        return touched_at
    try:
        return datetime.fromisoformat(holder.started).timestamp()
    except (ValueError, OverflowError, OSError):
        return touched_at


def identity_in(data: bytes | None) -> str | None:
    """Returns the identity of the lock with this info.json, or None if its bytes are invalid."""
    holder, _ = _parse(data)
    return holder.identity if holder else None


def _is_flocked(root: Root) -> bool:
    """Whether a living process holds the flock on info.json."""
    try:
        fd = os.open(root.path / places.LOCK_INFO, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        let_go(fd)
    return False


def let_go(fd: int) -> None:
    """Closes the descriptor of a lock, ignoring disk errors, which no longer matter."""
    with suppress(OSError):
        os.close(fd)


def host_name() -> str:
    """Returns this machine's name as recorded in lock files."""
    return socket.gethostname()


def boot_id() -> str:
    """Returns the id of this machine's current boot; empty if the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _is_of_this_machine(holder: LockInfo, touched_at: float) -> bool:
    """Whether a lock was taken on this machine, now or before a reboot: one that was touched since
    the reboot but names another boot belongs to a machine with the same name. One that names no
    machine counts as of this one, by its pid."""
    if not _names_no_other(holder):
        return False
    if not _of_another_start(holder):
        return True
    return touched_at < time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)


def _names_no_other(holder: LockInfo) -> bool:
    return holder.host in ("", host_name())


def _of_another_start(holder: LockInfo) -> bool:
    return bool(holder.boot) and holder.boot != boot_id() != ""


def process_start(pid: int) -> str:
    """Returns when the kernel started that process (clock ticks since boot); empty if unknown."""
    fields = _status(pid)
    return fields[19] if len(fields) > 19 else ""


def is_alive(pid: int) -> bool:
    """Whether a process with that id runs here; a zombie does not count."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return _status(pid)[:1] != ["Z"]


def is_running(holder: LockInfo) -> bool:
    """Whether the same process that took the lock is still running and has not released it.

    A reused pid does not count, and neither does this process if the lock is none of OURS: a
    failing disk then kept it from deleting that lock. A lock without a token was never this
    process's: another one has the same pid, in a container.
    """
    if holder.pid == os.getpid() and holder.token and holder.token not in OURS:
        return False
    if _of_another_start(holder) or not is_alive(holder.pid):
        return False
    start = process_start(holder.pid)
    return not (start and holder.process_start) or start == holder.process_start


def _status(pid: int) -> list[str]:
    """Returns the fields of /proc/PID/stat after the program's name; empty if there are none."""
    try:
        status = Path(f"/proc/{pid}/stat").read_bytes()
    except (OSError, ValueError):
        return []
    return status.rpartition(b")")[2].decode("ascii", "replace").split()


def _clock(started: str) -> str:
    """Returns a time (ISO, UTC) as local clock time, with the date if it is not today."""
    try:
        moment = datetime.fromisoformat(started).astimezone()
    except ValueError:
        return started
    today = moment.date() == datetime.now(moment.tzinfo).date()
    return f"{moment:%H:%M}" if today else f"{moment:%Y-%m-%d %H:%M}"


def _ago(seconds: float) -> str:
    if seconds < 120:
        return said("{n} seconds", n=f"{seconds:.0f}")
    if seconds < 7200:
        return said("{n} minutes", n=f"{seconds / 60:.0f}")
    return said("{n} hours", n=f"{seconds / 3600:.0f}")
