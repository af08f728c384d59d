"""A copy of the sample novel in a place of the writer's own."""

from __future__ import annotations

from pathlib import Path

from studio.errors import usage
from studio.fsio import made
from studio.project import layout as places
from studio.resources import sample_project_dir


def copy_sample(folder: Path) -> Path:
    """Copies the sample into a folder that is new or empty and returns that folder.

    StudioError: 2 if the folder holds something, 1 if it cannot be written.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise usage(f"{folder} is not empty.", "Name a new folder, or an empty one.")
    source = sample_project_dir()
    names = sorted(p.relative_to(source).as_posix() for p in source.rglob("*") if p.is_file())
    root = made(folder)
    with root.together():
        for name in names:
            if name != places.SETTINGS:
                root.write(name, (source / name).read_bytes())
    # Last, for with it the folder is a novel.
    root.write(places.SETTINGS, (source / places.SETTINGS).read_bytes())
    return root.path
