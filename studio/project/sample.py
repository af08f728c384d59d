"""A copy of the sample novel in a place of the writer's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from studio.errors import failed
from studio.fsio import whole_folder
from studio.project import layout as places
from studio.resources import sample_project_dir


def copy_sample(folder: Path) -> Path:
    """Copies the sample into a folder that is new or empty and returns that folder.

    StudioError: 2 if the folder holds something, 1 if it cannot be written.
    """
    source = sample_project_dir()
    with whole_folder(folder, places.SETTINGS) as root, root.together():
        for name, data in _files(source):
            root.write(name, data)
    return folder.resolve()


def _files(source: Path) -> Iterator[tuple[str, bytes]]:
    try:
        for folder, _, names in os.walk(source, onerror=_give_up):
            for file in (Path(folder, name) for name in sorted(names)):
                yield file.relative_to(source).as_posix(), file.read_bytes()
    except OSError as error:
        raise failed(
            f"The sample novel cannot be read: {error.strerror or error}.",
            "Install the studio anew, or try again.",
        ) from error


def _give_up(error: OSError) -> None:
    raise error
