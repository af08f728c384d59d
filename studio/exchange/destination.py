"""Writes exports safely: never among a novel's own files, never half a file, and never over an
existing file without permission."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from studio.errors import Exit, Problem, StudioError, usage
from studio.fsio import Root, make_root, refuse_root, sha256_hex
from studio.messages import said
from studio.project.layout import is_novel, is_own

TAKEN = "taken"
"""The problem's kind when a file exists that may be replaced with the writer's consent."""


def write_file(place: Path, data: bytes, force: bool) -> None:
    """Writes one complete file; raises StudioError (exit 1) for disk errors."""
    root = make_root(place.parent)
    root.write(place.name, data, expected="any" if force else None)


def refuse_unfit(place: Path) -> None:
    """Raises StudioError (exit 2) for a place among the files of any novel, under whatever name:
    a link leads to what it names, and so does a link to a folder above the place. And for a new
    one at the root of the disk."""
    for real in _real_places(place):
        for above in (real, *real.parents):
            if is_novel(above) and (real == above or is_own(real.relative_to(above).as_posix())):
                raise usage(
                    said(
                        "{place} belongs to the novel in {above}; an export does not write there.",
                        place=place,
                        above=above,
                    ),
                    said("Name a place outside the novel, or a new name in its folder."),
                )
    refuse_root(place)


def _real_places(place: Path) -> tuple[Path, ...]:
    """Returns the place without links above it, and what it leads to if it is a link itself."""
    own = place.parent.resolve() / place.name
    try:
        return own, place.resolve()
    except (OSError, RuntimeError) as error:
        raise _unusable(place, error) from error


def _unusable(place: Path, error: Exception) -> StudioError:
    return usage(
        said("{place} cannot be used: {error}.", place=place, error=error),
        said("Name another place."),
    )


def check_file(place: Path, force: bool) -> None:
    info = _stat_of(place)
    if info is None:
        return
    if stat.S_ISDIR(info.st_mode):
        raise usage(
            said("{place} is a folder.", place=place),
            said("End it with / to get a file for each chapter in it."),
        )
    if not stat.S_ISREG(info.st_mode):
        raise usage(
            said("{place} is not a plain file; nothing was written.", place=place),
            said("Name another one."),
        )
    if not force:
        hint = said("Name another file, or replace it with --force.")
        raise StudioError(
            Problem(said("{place} is there already.", place=place), hint, "", Exit.USAGE, TAKEN)
        )


def still_to_write(place: Path, files: Mapping[str, bytes], force: bool) -> dict[str, bytes]:
    """Returns the files of a folder that are missing or differ: all of them,
    unless an earlier export was killed. Raises StudioError (exit 2) where one of
    them would replace something else."""
    info = _stat_of(place)
    if info is None:
        return dict(files)
    if not place.is_dir():
        raise usage(
            said("{place} is a file.", place=place), said("Leave the / out, or name a folder.")
        )
    missing = {name: data for name, data in files.items() if not _holds(place / name, data)}
    for name in missing:
        check_file(place / name, force)
    return missing


def _holds(place: Path, data: bytes) -> bool:
    """Whether `place` is a regular file with exactly these bytes."""
    info = _stat_of(place)
    if info is None or not stat.S_ISREG(info.st_mode) or info.st_size != len(data):
        return False
    try:
        return place.read_bytes() == data
    except OSError:
        return False


def _stat_of(place: Path) -> os.stat_result | None:
    try:
        return place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _unusable(place, error) from error


def write_folder(place: Path, files: Mapping[str, bytes], force: bool) -> None:
    """Writes the files of a folder; when one cannot be written, the
    newly created ones are removed."""
    root, fresh = make_root(place), []
    try:
        with root.together():
            for name, data in files.items():
                new = root.info(name) is None
                root.write(name, data, expected="any" if force else None)
                fresh += [(name, sha256_hex(data))] if new else []
    except StudioError:
        _take_back(root, fresh)
        raise


def _take_back(root: Root, fresh: list[tuple[str, str]]) -> None:
    for name, sha in fresh:
        with suppress(StudioError):
            if root.sha(name) == sha:
                root.remove(name)
