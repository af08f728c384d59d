"""Turns disk failures into sentences for a writer."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from studio.errors import Exit, Problem, StudioError, damaged
from studio.messages import join, said


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
        said(
            "{rel} should be a plain {kind}, but it is something else (a link, a pipe, ...).",
            rel=rel,
            kind=kind,
        ),
        said("Links inside a novel are not followed: put the real thing there."),
    )


_REASONS = {
    errno.ENOSPC: (said("the disk is full"), said("Make room on the disk, then try again.")),
    errno.EDQUOT: (said("your disk quota is used up"), said("Make room, then try again.")),
    errno.EROFS: (
        said("the disk is read-only"),
        said("Open the novel from a place that you can write to."),
    ),
    errno.EACCES: (
        said("you do not have the right to"),
        said("Check its owner and its permissions."),
    ),
    errno.EPERM: (
        said("you do not have the right to"),
        said("Check its owner and its permissions."),
    ),
    errno.ENAMETOOLONG: (said("the name is too long"), said("Use a shorter name or folder.")),
    errno.ENOENT: (said("it is not there"), said("It may have been moved or deleted.")),
    errno.EIO: (said("the disk reports an error"), said("Copy the novel to another disk soon.")),
    errno.EMFILE: (said("too many files are open"), said("Close other programs, then try again.")),
    errno.ENFILE: (said("too many files are open"), said("Close other programs, then try again.")),
    errno.EISDIR: (said("a folder has that name"), said("Move the folder away.")),
    errno.ENOTDIR: (said("a file stands where a folder should be"), said("Move the file away.")),
}


_COULD_NOT = {
    "read": said("Could not read {path}: {reason}."),
    "write": said("Could not write {path}: {reason}."),
    "make": said("Could not make {path}: {reason}."),
    "open": said("Could not open {path}: {reason}."),
    "remove": said("Could not remove {path}: {reason}."),
    "rename": said("Could not rename {path}: {reason}."),
}
NOTHING_CHANGED = said("Nothing was changed.")
"""The closing sentence of an error about a file that could not be changed."""


def reason_of(error: OSError) -> tuple[str, str]:
    """Returns the reason of a disk failure in words, and what to do about it."""
    return _REASONS.get(error.errno or 0, (error.strerror or said("unknown error"), ""))


def disk_error(error: OSError, rel: str, action: str) -> StudioError:
    """Turns an OSError into a sentence (kind `disk`); exit 1, or 5 for an existing but unreadable
    file. It names `rel`, which tells nothing where the folder that it is in cannot be opened: then
    that folder, by its whole path."""
    reason, hint = reason_of(error)
    whole = error.filename if isinstance(error.filename, str) else ""
    is_there = error.errno not in (errno.ENOENT, errno.EMFILE, errno.ENFILE)
    sentence = _COULD_NOT[action].with_values(
        path=whole if whole.startswith("/") else rel or said("the folder"), reason=reason
    )
    return StudioError(
        Problem(
            sentence if action == "read" else join([sentence, NOTHING_CHANGED]),
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
