"""Reads and writes the studio's own files in this machine's state folder, private to their
owner. What people may pass on, the logs and reports of faults, loses its keys here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from studio.config.masking import without_keys
from studio.config.paths import state_dir
from studio.fsio import make_root


def keep_in_state(environ: Mapping[str, str], name: str, data: bytes) -> Path:
    """Writes a file into the state folder, readable by its owner only (0600, reliability S11).

    Raises StudioError (exit 1) if the folder cannot be written.
    """
    return keep_in(state_dir(environ), name, data)


def keep_in(state: Path, name: str, data: bytes) -> Path:
    """Like `keep_in_state`, for a state folder that is already known."""
    root = make_root(state)
    root.write(name, data, private=True)
    return root.path / name


def keep_report(environ: Mapping[str, str], name: str, report: str) -> Path:
    """Like `keep_in_state`, for the report of a fault: without any key (reliability S11)."""
    return keep_in_state(environ, name, without_keys(report, environ).encode(errors="replace"))


def drop_from_state(environ: Mapping[str, str], name: str) -> None:
    """Deletes a file from the state folder if it exists; raises StudioError (exit 1) if it cannot
    be deleted."""
    make_root(state_dir(environ)).remove(name)


def begin_log(environ: Mapping[str, str], name: str, largest: int, older: int) -> Path:
    """Prepares a log for appending: once it has reached `largest` bytes it becomes `name.1`, the
    previous `name.1` becomes `name.2`, and `older` of these files are kept. Raises StudioError
    (exit 1) like `keep_in_state`."""
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


def add_to_log(environ: Mapping[str, str], name: str, record: str) -> None:
    """Appends a record to a log prepared by `begin_log`, without any key (reliability S11); raises
    StudioError (exit 1) like it."""
    data = f"{without_keys(record, environ)}\n".encode(errors="replace")
    make_root(state_dir(environ)).append(name, data)
