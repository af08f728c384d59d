"""What the studio itself keeps on this machine: files of the state folder, for its owner alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from studio.config.paths import state_dir
from studio.fsio import make_root


def keep_in_state(environ: Mapping[str, str], name: str, data: bytes) -> Path:
    """Writes a file into the state folder, for its owner's eyes alone (0600, reliability S11).

    Raises StudioError (exit 1) where that folder cannot be written.
    """
    return keep_in(state_dir(environ), name, data)


def keep_in(state: Path, name: str, data: bytes) -> Path:
    """The same for a state folder that is known."""
    root = make_root(state)
    root.write(name, data, private=True)
    return root.path / name


def drop_from_state(environ: Mapping[str, str], name: str) -> None:
    """Takes a file out of the state folder, if it is there; StudioError (exit 1) where it cannot
    be."""
    make_root(state_dir(environ)).remove(name)


def begin_log(environ: Mapping[str, str], name: str, largest: int, older: int) -> Path:
    """Makes a log ready for lines: one that has reached `largest` bytes becomes `name.1`, what
    was that becomes `name.2`, and of those `older` stay. StudioError (exit 1) as above."""
    root = make_root(state_dir(environ))
    info = root.info(name)
    if info is not None and info.st_size >= largest:
        for number in range(older, 0, -1):
            newer = name if number == 1 else f"{name}.{number - 1}"
            if root.info(newer) is not None:
                root.remove(f"{name}.{number}")
                root.move(newer, f"{name}.{number}", expected=None)
    if root.info(name) is None:
        root.write(name, b"", private=True)
    return root.path / name


def add_to_log(environ: Mapping[str, str], name: str, line: bytes) -> None:
    """Adds a line to a log that was begun; StudioError (exit 1) as above."""
    make_root(state_dir(environ)).append(name, line)
