"""Replaces one file by another and checks what was replaced.

Another program may save between the last check of a file and the rename that replaces it. Therefore
the two files are exchanged atomically and the displaced one is checked: if it is not the expected
version they are exchanged back, and nothing is lost.
"""

from __future__ import annotations

import os
from contextlib import suppress

from studio.errors import Problem, StudioError
from studio.fsio.descriptors import READ, closing, open_file, out_name, read_all
from studio.fsio.exchange import place_free, swap
from studio.fsio.fault_points import point, step
from studio.fsio.messages import ChangedOnDisk
from studio.fsio.read import sha256_hex
from studio.messages import said
from studio.tuples import NamedTuple

_NOBODY = "0" * 8


class Entry(NamedTuple):
    """A name in a folder that is open as a descriptor."""

    name: str
    at: int


def replace(rel: str, source: Entry, target: Entry, expected: str | None) -> None:
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


def replace_by_temporary(rel: str, temporary: Entry, target: Entry, expected: str) -> None:
    """Like `replace` for our own temporary file, which is always deleted afterwards; another file
    that has taken its place is not deleted."""
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
    """Deletes the file `target` if it is the expected one. Raises FileNotFoundError if it is
    missing, and ChangedOnDisk, leaving it in place, if it is another version."""
    if (sha_present := _sha(rel, target)) != expected:
        raise changed_error(rel, expected, sha_present) if sha_present else FileNotFoundError(rel)
    out = Entry(out_name(target.name, _NOBODY), target.at)
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


def _put_back(rel: str, source: Entry, target: Entry, ours: str | None) -> None:
    """Puts the displaced file back. If the target was saved once more, that newest text stays in
    place, and the previous one stays where it was displaced to."""
    try:
        swap(source.name, source.at, target.name, target.at)
        if _sha_or_none(rel, source) != ours:
            swap(source.name, source.at, target.name, target.at)
    except FileNotFoundError:  # ours was deleted concurrently
        _give_back(source, target)


def _give_back(out: Entry, target: Entry) -> None:
    """Moves the displaced file back to its free place. If the place is taken again, a newer text
    was saved there; the displaced file then stays where it is, and the next start preserves it."""
    with suppress(FileExistsError):
        if not place_free(out.name, out.at, target.name, target.at):
            os.rename(out.name, target.name, src_dir_fd=out.at, dst_dir_fd=target.at)


def _compare_and_rename(rel: str, source: Entry, target: Entry, expected: str | None) -> None:
    """Replaces the target where exchanging names is unsupported: its last check comes just
    before."""
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
    """Returns the file's sha256; None also for a non-file or a file that nobody may read, neither
    of which is expected. Raises OSError if the disk fails."""
    try:
        return _sha(rel, entry)
    except (StudioError, PermissionError):
        return None
