"""A copy of the sample novel in a place of the writer's own."""

from __future__ import annotations

from pathlib import Path

from studio.fsio import whole_folder
from studio.project import layout as places
from studio.resources import sample_project_dir


def copy_sample(folder: Path) -> Path:
    """Copies the sample into a folder that is new or empty and returns that folder.

    StudioError: 2 if the folder holds something, 1 if it cannot be written.
    """
    source = sample_project_dir()
    files = sorted(path for path in source.rglob("*") if path.is_file())
    with whole_folder(folder, places.SETTINGS) as root, root.together():
        for file in files:
            root.write(file.relative_to(source).as_posix(), file.read_bytes())
    return folder.resolve()
