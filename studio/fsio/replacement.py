"""Replaces one file by another and checks what was replaced.

Another program may save between the last check of a file and the rename that replaces it. Therefore
the two files are exchanged atomically and the displaced one is checked: if it is not the expected
version they are exchanged back, and nothing is lost.

Linux provides the exchange, and the rename to a free name that never overwrites, as renameat2,
macOS as renameatx_np. If the system or the file system supports neither, `swap` and `place_free`
return False, and the caller compares and renames.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from studio.errors import Problem, StudioError
from studio.fsio.descriptors import READ, close_at_end, open_file, out_name, read_all
from studio.fsio.fault_points import point, step
from studio.fsio.messages import ChangedOnDisk
from studio.fsio.read import sha256_hex
from studio.messages import said

Rename = Callable[[int, bytes, int, bytes, int], int]
_CALLS = {"linux": ("renameat2", 2, 1), "darwin": ("renameatx_np", 2, 4)}
"""The system call, its flag to exchange two names, and its flag to replace nothing."""
_UNABLE = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM})
"""The errors by which a system or file system reports lack of support; EPERM comes from sandboxes
that filter system calls, and a rename that is really forbidden fails again as a plain one."""


def swap(source: str, source_at: int, target: str, target_at: int) -> bool:
    """Exchanges two names atomically; returns False if that is not supported.

    Raises FileNotFoundError if one of them does not exist.
    """
    return _rename(source, source_at, target, target_at, exchanging=True)


def place_free(source: str, source_at: int, target: str, target_at: int) -> bool:
    """Renames to a free name; returns False if only a plain rename is supported.

    Raises FileExistsError, with nothing changed, if the name is taken. Plain files are hard-linked
    if the file system supports links but not this rename.
    """
    if _rename(source, source_at, target, target_at, exchanging=False):
        return True
    try:
        os.link(source, target, src_dir_fd=source_at, dst_dir_fd=target_at, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        return False
    os.unlink(source, dir_fd=source_at)
    return True


def _rename(source: str, source_at: int, target: str, target_at: int, exchanging: bool) -> bool:
    call = rename_call()
    if call is None:
        return False
    _, exchange, no_replace = _CALLS[sys.platform]
    flag = exchange if exchanging else no_replace
    number = call(source_at, os.fsencode(source), target_at, os.fsencode(target), flag)
    if number in _UNABLE:
        return False
    if number:
        raise OSError(number, os.strerror(number), target)
    return True


@cache
def rename_call() -> Rename | None:
    """Returns the system call as a function that returns an errno or zero; None if it is
    unavailable."""
    if sys.platform not in _CALLS:
        return None
    import ctypes  # takes milliseconds to load, and most commands replace nothing

    with suppress(AttributeError, OSError):
        function = getattr(ctypes.CDLL(None, use_errno=True), _CALLS[sys.platform][0])
        function.argtypes = (
            *(ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint),
        )
        function.restype = ctypes.c_int

        def call(source_at: int, source: bytes, target_at: int, target: bytes, flag: int) -> int:
            result = function(source_at, source, target_at, target, flag)
            return ctypes.get_errno() if result else 0

        return call
    return None


_NOBODY = "0" * 8


class FolderEntry(NamedTuple):
    """A name in a folder that is open as a descriptor."""

    name: str
    at: int


def replace(rel: str, source: FolderEntry, target: FolderEntry, expected: str | None) -> None:
    """Renames the file `source` to `target`, which is at `rel` below the root; `source` is then
    gone.

    Raises ChangedOnDisk if the target is not `expected` (a sha256, None for "no file"), even if it
    changed at the last moment: the target is left as it was, and so is `source`, unless somebody
    saved over it while it was in place. The same holds where the disk fails (OSError).
    """
    _compare(rel, target, expected)
    step("rename")
    if expected is None:
        _place_new(rel, source, target)
    else:
        _exchange(rel, source, target, expected)


def replace_by_temporary(
    rel: str, temporary: FolderEntry, target: FolderEntry, expected: str
) -> None:
    """Like `replace` for our own temporary file, which is always deleted afterwards; another file
    that has taken its place is not deleted."""
    ours = _sha(rel, temporary) or _NOBODY
    out = FolderEntry(out_name(target.name, ours), target.at)
    os.rename(temporary.name, out.name, src_dir_fd=temporary.at, dst_dir_fd=out.at)
    try:
        replace(rel, out, target, expected)
    except BaseException:
        with suppress(OSError):
            if _sha_or_none(rel, out) == ours:
                os.unlink(out.name, dir_fd=out.at)
        raise


def take_out(rel: str, target: FolderEntry, expected: str) -> None:
    """Deletes the file `target` if it is the expected one. Raises FileNotFoundError if it is
    missing, and ChangedOnDisk, leaving it in place, if it is another version."""
    if (sha_present := _sha(rel, target)) != expected:
        raise changed_error(rel, expected, sha_present) if sha_present else FileNotFoundError(rel)
    out = FolderEntry(out_name(target.name, _NOBODY), target.at)
    step("rename")
    try:
        os.rename(target.name, out.name, src_dir_fd=target.at, dst_dir_fd=out.at)
    except FileNotFoundError:
        raise changed_error(rel, expected, None) from None
    point("fsio.exchanged")
    try:
        sha_out = _sha_or_none(rel, out)
    except OSError:
        _give_back(out, target)
        raise
    if sha_out != expected:
        _give_back(out, target)
        raise changed_error(rel, expected, sha_out)
    step("unlink")
    os.unlink(out.name, dir_fd=out.at)


def changed_error(rel: str, expected: str | None, actual: str | None) -> ChangedOnDisk:
    """Returns the error for a file that is not the expected version."""
    problem = Problem(
        said("{rel} was changed by someone else.", rel=rel),
        said("Both versions are kept; look at them and choose."),
        kind="changed",
    )
    return ChangedOnDisk(problem, rel, expected, actual)


def _place_new(rel: str, source: FolderEntry, target: FolderEntry) -> None:
    try:
        if place_free(source.name, source.at, target.name, target.at):
            return
    except FileExistsError:
        raise changed_error(rel, None, _sha_or_none(rel, target)) from None
    _compare_and_rename(rel, source, target, None)


def _exchange(rel: str, source: FolderEntry, target: FolderEntry, expected: str) -> None:
    ours = _sha(rel, source)
    try:
        if not swap(source.name, source.at, target.name, target.at):
            _compare_and_rename(rel, source, target, expected)
            return
    except FileNotFoundError:
        raise changed_error(rel, expected, _sha_or_none(rel, target)) from None
    point("fsio.exchanged")
    try:
        sha_out = _sha_or_none(rel, source)
    except OSError:  # the disk cannot say what came out, so it goes back
        _put_back(rel, source, target, ours)
        raise
    if sha_out != expected:
        _put_back(rel, source, target, ours)
        raise changed_error(rel, expected, sha_out)
    step("unlink")
    os.unlink(source.name, dir_fd=source.at)


def _put_back(rel: str, source: FolderEntry, target: FolderEntry, ours: str | None) -> None:
    """Puts the displaced file back. If the target was saved once more, that newest text stays in
    place, and the previous one stays where it was displaced to."""
    try:
        swap(source.name, source.at, target.name, target.at)
        if _sha_or_none(rel, source) != ours:
            swap(source.name, source.at, target.name, target.at)
    except FileNotFoundError:  # ours was deleted concurrently
        _give_back(source, target)


def _give_back(out: FolderEntry, target: FolderEntry) -> None:
    """Moves the displaced file back to its free place. If the place is taken again, a newer text
    was saved there; the displaced file then stays where it is, and the next start preserves it."""
    with suppress(FileExistsError):
        if not place_free(out.name, out.at, target.name, target.at):
            os.rename(out.name, target.name, src_dir_fd=out.at, dst_dir_fd=target.at)


def _compare_and_rename(
    rel: str, source: FolderEntry, target: FolderEntry, expected: str | None
) -> None:
    """Replaces the target where exchanging names is unsupported: its last check comes just
    before."""
    _compare(rel, target, expected)
    os.rename(source.name, target.name, src_dir_fd=source.at, dst_dir_fd=target.at)


def _compare(rel: str, target: FolderEntry, expected: str | None) -> None:
    sha_present = _sha(rel, target)
    if sha_present != expected:
        raise changed_error(rel, expected, sha_present)


def _sha(rel: str, entry: FolderEntry) -> str | None:
    try:
        fd = open_file(entry.name, READ, entry.at, rel)
    except FileNotFoundError:
        return None
    with close_at_end(fd):
        return sha256_hex(read_all(fd))


def _sha_or_none(rel: str, entry: FolderEntry) -> str | None:
    """Returns the file's sha256; None also for a non-file or a file that nobody may read, neither
    of which is expected. Raises OSError if the disk fails."""
    try:
        return _sha(rel, entry)
    except (StudioError, PermissionError):
        return None
