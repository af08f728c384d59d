"""File descriptors: opened without following links, written whole, synced once."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

from studio.fsio.fault_points import step
from studio.fsio.messages import not_plain

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_TEMPORARY = r"^\..+\.(\d+)\.[0-9a-f]{8}~$"
"""Names of files in the making. They hold nothing that anybody has seen."""
_PIECE = 1 << 22
"""Bytes that are read at once: the record of a long book in one piece, which is not joined."""
_SYNCING = 16
"""Threads that wait for the disk at the same time; more are no quicker."""
_OUT = r"^\.(.+)\.(\d+)\.[0-9a-f]{8}\.([0-9a-f]{8})\.out~$"


def open_folder(name: str, at: int | None, here: Sequence[str]) -> int:
    """A descriptor of the folder `name` in `at`, which is closed, or by its whole path; a link or
    a file of that name is refused."""
    try:
        return os.open(name, FOLDER, dir_fd=at)
    except OSError as error:
        if error.errno not in (errno.ENOTDIR, errno.ELOOP):
            raise
        raise not_plain("/".join(here), "folder") from error
    finally:
        if at is not None:
            os.close(at)


def open_file(name: str, flags: int, at: int, rel: str, mode: int = 0) -> int:
    """A descriptor of a regular file; anything else is refused by name."""
    try:
        fd = os.open(name, flags, mode, dir_fd=at)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise not_plain(rel, "file") from error
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise not_plain(rel, "file")
    return fd


def mode_of(at: int, name: str, rel: str) -> int | None:
    """Permission bits of the file about to be replaced, None if there is none."""
    try:
        info = os.stat(name, dir_fd=at, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(info.st_mode):
        raise not_plain(rel, "file")
    return stat.S_IMODE(info.st_mode)


@contextmanager
def closing(fd: int) -> Iterator[int]:
    """Closes the descriptor at the end of the block."""
    try:
        yield fd
    finally:
        os.close(fd)


def read_all(fd: int) -> bytes:
    """Everything up to the end of the file."""
    size = os.fstat(fd).st_size
    # Room for one byte more shows the end with the first read; room for much more is dear to get.
    pieces = [os.read(fd, min(size, _PIECE) + 1)]
    if len(pieces[0]) == size:
        return pieces[0]
    while piece := os.read(fd, _PIECE):
        pieces.append(piece)
    return b"".join(pieces)


def temporary_name(name: str, ending: str | None = None) -> str:
    """A name beside `name` for what is being made; it names this process, and ends in `~`."""
    ending = f"{os.getpid()}.{os.urandom(4).hex()}~" if ending is None else ending
    return f".{name[:40]}.{ending}"


def write_temporary(
    at: int,
    name: str,
    pieces: Iterable[bytes],
    mode: int | None,
    durable: bool,
    shared: bool = False,
) -> str:
    """A new file beside `name` that holds the pieces; returns its name, which ends in `~`.

    In a `shared` folder nobody takes a lock, and so clears away what a kill
    left: each writer does it.
    """
    if shared:
        _sweep_beside(at, name)
    temporary = temporary_name(name)
    fd = os.open(temporary, NEW, 0o666, dir_fd=at)
    try:
        with closing(fd):
            if mode is not None:
                os.fchmod(fd, mode)
            size = 0
            for piece in pieces:
                write_all(fd, piece)
                size += len(piece)
            if durable:
                sync(fd)
            if os.fstat(fd).st_size != size:
                raise OSError(errno.EIO, "the file is shorter than what was written")
    except BaseException:
        # After a failed fsync the pages may count as clean: the file is thrown
        # away, never synced again.
        with suppress(OSError):
            os.unlink(temporary, dir_fd=at)
        raise
    return temporary


def _sweep_beside(at: int, name: str) -> None:
    """Takes away what killed processes had half written for a file of that name."""
    start = temporary_name(name, "")
    with suppress(OSError):  # a folder may take files and not say which it holds
        for entry in os.listdir(at):
            maker = temporary_maker(entry) if entry.startswith(start) else None
            if maker is not None and not alive(maker):
                os.unlink(entry, dir_fd=at)


def temporary_maker(name: str) -> int | None:
    """The process that makes the file of that name; None for another name."""
    match = re.match(_TEMPORARY, name)
    return int(match[1]) if match else None


def out_name(name: str, new_sha: str) -> str:
    """The name under which a whole new file waits for its exchange with the file `name`, and that
    one comes out. A killed process may leave somebody's text there: no sweep takes it away."""
    short = name if len(os.fsencode(name)) < 200 else name[:40]
    return f".{short}.{os.getpid()}.{os.urandom(4).hex()}.{new_sha[:8]}.out~"


def parse_out_name(name: str) -> tuple[str, int, str] | None:
    """The file's own name, the process and how the new sha256 begins; None for another name."""
    match = re.match(_OUT, name)
    return (match[1], int(match[2]), match[3]) if match else None


def write_all(fd: int, data: bytes) -> None:
    """Write until every byte is taken: one write may take fewer."""
    view = memoryview(data)
    while view:
        step("write")
        view = view[os.write(fd, view) :]


def sync(fd: int) -> None:
    """Make a file's bytes durable."""
    step("fsync")
    _sync_now(fd)


def sync_folder(fd: int) -> None:
    """Make the names in a folder durable, where the file system can."""
    pass_over_unable(_sync_error(fd))


def pass_over_unable(error: OSError | None) -> None:
    """Raises what syncing a folder came to, unless its file system syncs none."""
    if error is not None and error.errno != errno.EINVAL:  # as some network file systems
        raise error


def sync_together(fds: Sequence[int]) -> list[OSError | None]:
    """Makes several files or folders durable at the same time; of each what went wrong, if
    anything did."""
    if len(fds) < 2:
        return [_sync_error(fd) for fd in fds]
    return list(_syncing().map(_sync_error, fds))


@cache
def _syncing() -> ThreadPoolExecutor:
    """The threads that wait for the disk. They stay: threads that have still to start send their
    files to the disk one after another, and it waits for each."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(_SYNCING, "sync")


os.register_at_fork(after_in_child=_syncing.cache_clear)  # a child has none of the threads


def _sync_error(fd: int) -> OSError | None:
    try:
        _sync_now(fd)
    except OSError as error:
        return error
    return None


def _sync_now(fd: int) -> None:
    full = getattr(fcntl, "F_FULLFSYNC", None)  # on macOS fsync stops at the drive's cache
    if full is not None:
        with suppress(OSError):
            fcntl.fcntl(fd, full)
            return
    os.fsync(fd)


def alive(pid: int) -> bool:
    """Whether a process of that number exists on this machine."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
