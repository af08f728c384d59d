"""Renames that never overwrite blindly: exchanging two names, or renaming to a free name.

Linux provides them as renameat2, macOS as renameatx_np. If the system or the file system supports
neither, `swap` and `place_free` return False, and the caller compares and renames.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache

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
