"""The lock that allows one writer at a time: .novel.lock (seed E9, DESIGN section 4).

The lock is a folder that is renamed into place with its info.json complete and flocked. The flock
proves a living holder and ends with its process, however that ends. A dead holder on this host is
taken over. Processes of this machine take turns at checking and renaming aside a lock that is not
their own. A living holder is never taken over. An empty folder of that name, which none of our
processes leaves, is removed once nobody has touched it for 30 minutes.
"""

from __future__ import annotations

import os
import re
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from studio.errors import Exit, Problem, StudioError, failed
from studio.fsio import Root, guard, hold, in_turn, point, remember_looks, sweep, unguard
from studio.fsio.messages import disk_error
from studio.messages import said
from studio.project import layout as places
from studio.project.clock import now
from studio.project.lock.holder import (
    OURS,
    LockView,
    boot_id,
    host_name,
    identity_in,
    is_alive,
    let_go,
    process_start,
    read_lock,
)
from studio.story.form.document import to_bytes
from studio.story.records import LockInfo

BEAT_SECONDS = 20
_TRIES = 10
_PAUSE = 0.02
_MOMENTS = 50
"""The number of pauses to wait while this same program holds the lock for no chapter: background
work of the app, such as keeping changed plans, is over in a moment and must not refuse the
writer."""
_GUARDED = (
    *(places.CHECKPOINT, f"{places.STAGING}/", f"{places.CHAPTERS}/", f"{places.SUMMARIES}/"),
    *(f"{places.EVALUATIONS}/", "state/", f"{places.STORYLINE_FOLDERS}/", "foreshadowing/"),
)
"""Paths that only the holder changes. Logs and history are append-only and lose nothing by
concurrent writes: the cost of a call and its answer are recorded even by a process that has lost
the lock."""
_LEFT_OVER = re.compile(rf"^{re.escape(places.LOCK)}\.(?:gone\.)?(\d+)\.[0-9a-f]{{8}}$")


class ProjectLock:
    """Holds a novel for one writer; a context manager. What is read under it, or before it by the
    same command, is what its commits expect to replace (`remember_looks`).

    Entering raises StudioError (exit 3, kind `locked`) while somebody else holds it, with pid,
    host, time and chapter.
    """

    def __init__(self, folder: Path | str, chapter: int | None = None) -> None:
        self._root = Root(folder, durable_names=False)
        self._chapter = chapter
        self._info: LockInfo | None = None
        self._written = b""
        """The bytes of info.json."""
        self._fd = -1
        self._beating: tuple[threading.Thread, threading.Event] | None = None
        self.took_over: LockView | None = None
        """The dead lock that this one replaced, if any."""
        self.say: Callable[[str], None] = lambda sentence: None
        """Tells the person what a commit under this lock found and kept."""

    def __enter__(self) -> Self:
        self.acquire()
        self._looks = remember_looks()
        self._looks.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.release()
        finally:
            self._looks.__exit__(kind, error, trace)

    def acquire(self) -> None:
        """Takes the lock, from a dead holder if necessary; raises StudioError (exit 3) if it is
        held."""
        tries, moments = _TRIES, _MOMENTS
        while tries and moments:
            view = read_lock(self._root.path)
            if _is_for_a_moment(view):
                moments -= 1
                time.sleep(_PAUSE)
                continue
            tries -= 1
            if view.state == "free":
                if self._claim():
                    return
            elif view.state == "dead":
                if self._take_over(view):
                    self.took_over = view
                else:
                    time.sleep(_PAUSE)
            elif view.state == "held" and not view.certain:
                time.sleep(_PAUSE)
            else:
                break
        raise locked_error(read_lock(self._root.path))

    def _claim(self) -> bool:
        token = secrets.token_hex(16)
        info = LockInfo(
            pid=os.getpid(),
            host=host_name(),
            process_start=process_start(os.getpid()),
            started=now(),
            boot=boot_id(),
            chapter=self._chapter,
            token=token,
        )
        draft = f"{places.LOCK}.{os.getpid()}.{token[:8]}"
        data = to_bytes(info)
        try:
            self._root.write(f"{draft}/info.json", data)
        except StudioError as error:
            if isinstance(error.__cause__, OSError):  # not about a file that she knows
                raise disk_error(error.__cause__, f"{self._root.path.name}/", "write") from error
            raise
        fd, _ = hold(self._root, f"{draft}/info.json")
        point("lock.before_claim")
        if not self._root.claim(draft, places.LOCK):
            let_go(fd)
            _discard(self._root, draft)
            return False
        point("lock.after_claim")
        OURS.add(token)
        self._info, self._written, self._fd = info, data, fd
        guard(self._root.path, self._ask)
        self._start_beating()
        self._sweep()
        return True

    def _take_over(self, dead: LockView) -> bool:
        """Moves a dead lock out of the way; returns False if another process was quicker."""
        if dead.holder is None:
            return self._root.remove_folder(places.LOCK)  # only succeeds for an empty folder
        try:
            return break_lock(self._root.path, dead)
        except StudioError:
            return False

    def _move_aside(self, fd: int, token: str) -> bool:
        """Moves the lock identified by `fd` and `token` out of its place; any other lock stays."""
        aside_name = f"{places.LOCK}.gone.{os.getpid()}.{secrets.token_hex(4)}"
        if not self._names(places.LOCK_INFO, fd, token):
            return False
        if not self._root.claim(places.LOCK, aside_name):
            return False
        point("lock.after_aside")
        if not self._names(f"{aside_name}/info.json", fd, token):
            self._root.claim(aside_name, places.LOCK)
            return False
        _discard(self._root, aside_name)
        return True

    def _sweep(self) -> None:
        """Deletes leftovers of killed processes: their locks and their temporary files."""
        for name in self._root.names():
            match = _LEFT_OVER.match(name)
            if match and not is_alive(int(match[1])) and self._root.is_folder(name):
                sweep(self._root, name)
                _discard(self._root, name)
        sweep(self._root)
        if self.took_over:
            self._root.settle(places.GROWING)

    def _names(self, path: str, fd: int, token: str) -> bool:
        """Whether the file at `path` is the one open as `fd` and contains `token`."""
        present = self._root.read_with_identity(path)
        try:
            ours = os.fstat(fd)
        except OSError as error:
            raise failed(
                said(
                    "The lock of this novel cannot be looked at: {strerror}.",
                    strerror=error.strerror or error,
                ),
                said("Try again."),
            ) from error
        if present is None or not os.path.samestat(present[0], ours):
            return False
        return present[1] == self._written or identity_in(present[1]) == token

    def holds(self) -> bool:
        """Whether the lock in place is still ours: false after somebody broke it."""
        if self._info is None:
            return False
        try:
            return self._names(places.LOCK_INFO, self._fd, self._info.token)
        except StudioError:
            return False

    def ensure_held(self) -> None:
        """Raises StudioError (exit 3) if the lock was lost, and exit 1 if the disk gives no answer.
        Called before each change of the book, of staging and of the checkpoint."""
        if self._info is None or not self._names(places.LOCK_INFO, self._fd, self._info.token):
            raise StudioError(
                Problem(
                    said("The lock on this novel was taken away while the work went on."),
                    said(
                        "Nothing more was written; what was saved until then is kept. Run "
                        "`studio resume`."
                    ),
                    exit_code=Exit.LOCKED,
                    kind="locked",
                )
            )

    def _ask(self, path: str) -> None:
        if path.startswith(_GUARDED):
            self.ensure_held()

    def beat(self) -> None:
        """Sends a heartbeat: sets the modification time of info.json to now."""
        if self._info is not None:
            with suppress(OSError):
                os.utime(self._fd)

    def _start_beating(self) -> None:
        stop = threading.Event()

        def beat_on() -> None:
            while not stop.wait(BEAT_SECONDS):
                self.beat()

        thread = threading.Thread(target=beat_on, daemon=True, name="lock-heartbeat")
        thread.start()
        self._beating = (thread, stop)

    def release(self) -> None:
        """Releases the lock if it is still ours; somebody else's is left alone."""
        if self._info is None:
            return
        if self._beating:
            thread, stop = self._beating
            stop.set()
            thread.join()
        unguard(self._root.path, self._ask)
        try:
            with suppress(StudioError):  # a remaining lock is dead without its flock and OURS
                self._move_aside(self._fd, self._info.token)
        finally:
            let_go(self._fd)
            OURS.discard(self._info.token)
            self._info, self._fd, self._beating = None, -1, None


def break_lock(folder: Path | str, view: LockView) -> bool:
    """Removes the lock that was examined: a dead one, or one a person agreed to break. Returns
    whether there was one.

    Raises StudioError (exit 3) if the lock is a different one by now, or if its holder is alive and
    has sent a heartbeat within 30 minutes. Two processes never remove locks at once: the slower
    would take the quicker one's new lock for the old one, and for a moment the novel would look
    free.
    """
    root = Root(folder)
    with in_turn(root) as alone:
        present = read_lock(root.path)
        if present.state == "free":
            return False
        same = (present.state, _identity_of(present)) == (view.state, _identity_of(view))
        if not (alone and same and present.breakable):
            raise locked_error(present)
        point("lock.before_break")
        aside_name = f"{places.LOCK}.gone.{os.getpid()}.{secrets.token_hex(4)}"
        if not root.claim(places.LOCK, aside_name):
            raise locked_error(read_lock(root.path))
        if identity_in(root.find(f"{aside_name}/info.json")) != _identity_of(present):
            root.claim(aside_name, places.LOCK)
            raise locked_error(read_lock(root.path))
        _discard(root, aside_name)
        return True


def _is_for_a_moment(view: LockView) -> bool:
    """Whether this program holds the lock for something other than a chapter."""
    return view.is_ours and view.holder is not None and view.holder.chapter is None


def locked_error(view: LockView) -> StudioError:
    """Returns the error for a second writer: who holds the novel and what can be done."""
    return StudioError(
        Problem(
            view.sentence(),
            view.hint(),
            view.process(),
            exit_code=Exit.LOCKED,
            kind="locked",
            retryable=view.state == "held",
        )
    )


def _discard(root: Root, folder: str) -> None:
    """Deletes a lock's folder, but nothing in it that is not ours."""
    with suppress(StudioError):
        root.remove(f"{folder}/info.json")
    root.remove_folder(folder)


def _identity_of(view: LockView) -> str | None:
    return view.holder.identity if view.holder else None


__all__ = ["LockView", "ProjectLock", "break_lock", "locked_error", "read_lock"]
