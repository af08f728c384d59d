"""Turns disk failures into sentences for a writer."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from studio.errors import Exit, Problem, StudioError, damaged


class ChangedOnDisk(StudioError):
    """Raised when a file is not the version its writer last saw."""

    def __init__(self, problem: Problem, path: str, expected: str | None, actual: str | None):
        super().__init__(problem)
        self.path = path
        self.expected = expected
        self.actual = actual


def not_plain(rel: str, kind: str) -> StudioError:
    """Returns an error for a link, pipe or folder, which is never read or written through (exit
    5)."""
    return damaged(
        f"{rel} should be a plain {kind}, but it is something else (a link, a pipe, ...).",
        "Links inside a novel are not followed: put the real thing there.",
    )


_REASONS = {
    errno.ENOSPC: ("the disk is full", "Make room on the disk, then try again."),
    errno.EDQUOT: ("your disk quota is used up", "Make room, then try again."),
    errno.EROFS: ("the disk is read-only", "Open the novel from a place that you can write to."),
    errno.EACCES: ("you do not have the right to", "Check its owner and its permissions."),
    errno.EPERM: ("you do not have the right to", "Check its owner and its permissions."),
    errno.ENAMETOOLONG: ("the name is too long", "Use a shorter name or folder."),
    errno.ENOENT: ("it is not there", "It may have been moved or deleted."),
    errno.EIO: ("the disk reports an error", "Copy the novel to another disk soon."),
    errno.EMFILE: ("too many files are open", "Close other programs, then try again."),
    errno.ENFILE: ("too many files are open", "Close other programs, then try again."),
    errno.EISDIR: ("a folder has that name", "Move the folder away."),
    errno.ENOTDIR: ("a file stands where a folder should be", "Move the file away."),
}


_COULD_NOT = {
    "read": "Could not read {path}: {reason}.",
    "write": "Could not write {path}: {reason}.",
    "make": "Could not make {path}: {reason}.",
    "open": "Could not open {path}: {reason}.",
    "remove": "Could not remove {path}: {reason}.",
    "rename": "Could not rename {path}: {reason}.",
}
NOTHING_CHANGED = " Nothing was changed."
"""The closing sentence of an error about a file that could not be changed."""


def disk_error(error: OSError, rel: str, action: str) -> StudioError:
    """Turns an OSError into a sentence (kind `disk`); exit 1, or 5 for an existing but unreadable
    file."""
    reason, hint = _REASONS.get(error.errno or 0, (error.strerror or "unknown error", ""))
    is_there = error.errno not in (errno.ENOENT, errno.EMFILE, errno.ENFILE)
    sentence = _COULD_NOT[action].format(path=rel or "the folder", reason=reason)
    return StudioError(
        Problem(
            sentence if action == "read" else sentence + NOTHING_CHANGED,
            hint,
            exit_code=Exit.DAMAGED if action == "read" and is_there else Exit.FAILED,
            kind="disk",
            retryable=error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE),
        )
    )


@contextmanager
def in_words(rel: str, action: str) -> Iterator[None]:
    """Converts an OSError in the block to a StudioError."""
    try:
        yield
    except OSError as error:
        raise disk_error(error, rel, action) from error
