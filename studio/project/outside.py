"""Files handed out of the program into a folder that the writer names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from studio.errors import usage
from studio.fsio import made


def put_files(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Writes files by name into a folder, made if it is missing; returns those that changed.

    Raises StudioError: the name is that of a file (exit 2), the folder cannot be
    written (exit 1).
    """
    if folder.exists() and not folder.is_dir():
        raise usage(f"{folder} is not a folder.", "Name a folder, or one that is not there yet.")
    root = made(folder)
    changed = []
    for name, data in files.items():
        if root.find(name) != data:
            root.write(name, data)
            changed.append(folder / name)
    return changed
