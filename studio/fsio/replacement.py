"""One file in the place of another, and a look at what it replaced.

Between the last look at a file and the rename that replaces it another program
may save. So the two change places in one step, and what came out is looked at:
if it is not what was expected they change back, and nobody has lost anything.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress

from studio.errors import Problem, StudioError
from studio.fsio.descriptors import READ, closing, open_file, out_name, read_all
from studio.fsio.exchange import place_free, swap
from studio.fsio.fault_points import point, step
from studio.fsio.messages import ChangedOnDisk
from studio.fsio.read import sha256_hex
from studio.tuples import NamedTuple

_NOBODY = "0" * 8


class Entry(NamedTuple):
    """A name in a folder that is open as a descriptor."""

    name: str
    at: int


def replace(rel: str, source: Entry, target: Entry, expected: str | None) -> None:
    """Give the file `source` the name `target`, `rel` from the root; `source` is gone then.

    ChangedOnDisk if anything but `expected` (a sha256, None for "no file") is
    there, also when it came at the last moment: it stands as before, and
    `source` too, unless it was saved over while it stood there.
    """
    _compare(rel, target, expected)
    step("rename")
    if expected is None:
        _place_new(rel, source, target)
    else:
        _exchange(rel, source, target, expected)


def replace_by_temporary(rel: str, temporary: Entry, target: Entry, expected: str) -> None:
    """The same for a temporary file of ours, which is gone afterwards in every case; what else
    may have come to stand in its place is not."""
    ours = _sha(rel, temporary) or _NOBODY
    out = Entry(out_name(target.name, ours), target.at)
    os.rename(temporary.name, out.name, src_dir_fd=temporary.at, dst_dir_fd=out.at)
    try:
        replace(rel, out, target, expected)
    except BaseException:
        with suppress(OSError):
            if _sha_or_none(rel, out) == ours:
                os.unlink(out.name, dir_fd=out.at)
        raise


def take_out(rel: str, target: Entry, expected: str) -> None:
    """Remove the file `target` if it is the expected one. FileNotFoundError if there is
    none; ChangedOnDisk, and it stands, if it is another."""
    if (sha_present := _sha(rel, target)) != expected:
        raise changed_error(rel, expected, sha_present) if sha_present else FileNotFoundError(rel)
    out = Entry(out_name(target.name, _NOBODY), target.at)
    step("rename")
    try:
        os.rename(target.name, out.name, src_dir_fd=target.at, dst_dir_fd=out.at)
    except FileNotFoundError:
        raise changed_error(rel, expected, None) from None
    point("fsio.exchanged")
    sha_out = _sha_or_none(rel, out)
    if sha_out != expected:
        _give_back(out, target)
        raise changed_error(rel, expected, sha_out)
    step("unlink")
    os.unlink(out.name, dir_fd=out.at)


def changed_error(rel: str, expected: str | None, actual: str | None) -> ChangedOnDisk:
    """The error to raise when a file is not the expected one."""
    problem = Problem(
        f"{rel} was changed by someone else.",
        "Both versions are kept; look at them and choose.",
        kind="changed",
    )
    return ChangedOnDisk(problem, rel, expected, actual)


def _place_new(rel: str, source: Entry, target: Entry) -> None:
    try:
        if place_free(source.name, source.at, target.name, target.at):
            return
    except FileExistsError:
        raise changed_error(rel, None, _sha_or_none(rel, target)) from None
    _compare_and_rename(rel, source, target, None)


def _exchange(rel: str, source: Entry, target: Entry, expected: str) -> None:
    ours = _sha(rel, source)
    try:
        if not swap(source.name, source.at, target.name, target.at):
            _compare_and_rename(rel, source, target, expected)
            return
    except FileNotFoundError:
        raise changed_error(rel, expected, _sha_or_none(rel, target)) from None
    point("fsio.exchanged")
    sha_out = _sha_or_none(rel, source)
    if sha_out != expected:
        _put_back(rel, source, target, ours)
        raise changed_error(rel, expected, sha_out)
    step("unlink")
    os.unlink(source.name, dir_fd=source.at)


def _put_back(rel: str, source: Entry, target: Entry, ours: str | None) -> None:
    """What came out goes back. Should the place have been saved to once more, that newest text
    stands, and the one before stays where it came out."""
    try:
        swap(source.name, source.at, target.name, target.at)
        if _sha_or_none(rel, source) != ours:
            swap(source.name, source.at, target.name, target.at)
    except FileNotFoundError:  # ours was deleted meanwhile
        _give_back(source, target)


def _give_back(out: Entry, target: Entry) -> None:
    """What came out goes back to its place, which is free. If it is not any more a newer text was
    saved there: then this one stays where it is, and the next start keeps it."""
    with suppress(FileExistsError):
        if not place_free(out.name, out.at, target.name, target.at):
            os.rename(out.name, target.name, src_dir_fd=out.at, dst_dir_fd=target.at)


def _compare_and_rename(rel: str, source: Entry, target: Entry, expected: str | None) -> None:
    """Where two names cannot be exchanged: the last look is the moment before."""
    _compare(rel, target, expected)
    os.rename(source.name, target.name, src_dir_fd=source.at, dst_dir_fd=target.at)


def _compare(rel: str, target: Entry, expected: str | None) -> None:
    sha_present = _sha(rel, target)
    if sha_present != expected:
        raise changed_error(rel, expected, sha_present)


def _sha(rel: str, entry: Entry) -> str | None:
    try:
        fd = open_file(entry.name, READ, entry.at, rel)
    except FileNotFoundError:
        return None
    with closing(fd):
        return sha256_hex(read_all(fd))


def _sha_or_none(rel: str, entry: Entry) -> str | None:
    """None also for what is no file, or cannot be read: it is nothing that was expected."""
    try:
        return _sha(rel, entry)
    except StudioError:
        return None
    except OSError as error:
        if error.errno in (errno.EIO, errno.EACCES, errno.EPERM):
            return None
        raise
