"""File descriptors that are opened without following links, written completely, and synced once."""

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
from studio.messages import said

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_TEMPORARY = r"^\..+\.(\d+)\.[0-9a-f]{8}~$"
"""The pattern of temporary file names. Nobody has seen the content of such files."""
_PIECE = 1 << 22
"""Bytes read at once: large enough that the record of a long book needs no joining of pieces."""
_SYNCING = 16
"""Threads that wait for the disk at the same time; more are no faster."""
_OUT = r"^\.(.+)\.(\d+)\.[0-9a-f]{8}\.([0-9a-f]{8})\.out~$"


def open_folder(name: str, at: int | None, here: Sequence[str]) -> int:
    """Opens the folder `name` in the open folder `at`, which is closed, or by its full path if `at`
    is None; a link or file of that name is refused."""
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
    """Opens a regular file; anything else is refused with an error that names it."""
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
    """Returns the permission bits of the file about to be replaced, or None if it does not
    exist."""
    try:
        info = os.stat(name, dir_fd=at, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(info.st_mode):
        raise not_plain(rel, "file")
    return stat.S_IMODE(info.st_mode)


@contextmanager
def close_at_end(fd: int) -> Iterator[int]:
    """Closes the descriptor at the end of the block."""
    try:
        yield fd
    finally:
        os.close(fd)


def read_all(fd: int) -> bytes:
    """Reads the descriptor to the end of the file."""
    size = os.fstat(fd).st_size
    # One extra byte detects the end with the first read; a much larger buffer is expensive to
    # allocate.
    pieces = [os.read(fd, min(size, _PIECE) + 1)]
    if len(pieces[0]) == size:
        return pieces[0]
    while piece := os.read(fd, _PIECE):
        pieces.append(piece)
    return b"".join(pieces)


def temporary_name(name: str, ending: str | None = None) -> str:
    """Returns a name beside `name` for a temporary file; it contains this process's id and ends in
    `~`."""
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
    """Writes the pieces into a new temporary file beside `name`; returns its name, which ends in
    `~`.

    In a `shared` folder nobody takes a lock that would clean up after killed processes, so each
    writer does it.
    """
    if shared:
        _sweep_beside(at, name)
    temporary = temporary_name(name)
    fd = os.open(temporary, NEW, 0o666, dir_fd=at)
    try:
        with close_at_end(fd):
            if mode is not None:
                os.fchmod(fd, mode)
            size = 0
            for piece in pieces:
                write_all(fd, piece)
                size += len(piece)
            if durable:
                sync(fd)
            if os.fstat(fd).st_size != size:
                raise OSError(errno.EIO, said("the file is shorter than what was written"))
    except BaseException:
        # After a failed fsync the kernel may mark the pages as clean: the file is deleted, never
        # synced again.
        # away, never synced again.
        with suppress(OSError):
            os.unlink(temporary, dir_fd=at)
        raise
    return temporary


def _sweep_beside(at: int, name: str) -> None:
    """Deletes the temporary files that killed processes left for a file of that name."""
    start = temporary_name(name, "")
    with suppress(OSError):  # a folder may be writable but not listable
        for entry in os.listdir(at):
            maker = temporary_maker(entry) if entry.startswith(start) else None
            if maker is not None and not alive(maker):
                os.unlink(entry, dir_fd=at)


def temporary_maker(name: str) -> int | None:
    """Returns the id of the process that created this temporary file; None for any other name."""
    match = re.match(_TEMPORARY, name)
    return int(match[1]) if match else None


def out_name(name: str, new_sha: str) -> str:
    """Returns the name under which a complete new file waits for its exchange with `name`; the old
    file ends up there. A killed process may leave somebody's text under it, so no sweep deletes
    it."""
    short = name if len(os.fsencode(name)) < 200 else name[:40]
    return f".{short}.{os.getpid()}.{os.urandom(4).hex()}.{new_sha[:8]}.out~"


def parse_out_name(name: str) -> tuple[str, int, str] | None:
    """Returns the target's name, the process id and the start of the sha256; None for any other
    name."""
    match = re.match(_OUT, name)
    return (match[1], int(match[2]), match[3]) if match else None


def write_all(fd: int, data: bytes) -> None:
    """Writes until every byte is taken: a single write may take fewer."""
    view = memoryview(data)
    while view:
        step("write")
        view = view[os.write(fd, view) :]


def sync(fd: int) -> None:
    """Makes a file's content durable."""
    step("fsync")
    _sync_now(fd)


def sync_folder(fd: int) -> None:
    """Makes the entries of a folder durable, where the file system supports it."""
    pass_over_unable(_sync_error(fd))


def pass_over_unable(error: OSError | None) -> None:
    """Raises the error from syncing a folder, unless its file system does not support that."""
    if error is not None and error.errno != errno.EINVAL:  # some network file systems
        raise error


def sync_together(fds: Sequence[int]) -> list[OSError | None]:
    """Makes several files or folders durable in parallel; returns the error of each, or None."""
    if len(fds) < 2:
        return [_sync_error(fd) for fd in fds]
    return list(_pool_for_syncing().map(_sync_error, fds))


@cache
def _pool_for_syncing() -> ThreadPoolExecutor:
    """Returns the thread pool for syncing. Its threads are reused: while threads are still
    starting, files reach the disk one by one, and each costs a separate wait."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(_SYNCING, "sync")


os.register_at_fork(
    after_in_child=_pool_for_syncing.cache_clear
)  # a forked child has none of the threads


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
    """Whether a process with this id exists on this machine."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
