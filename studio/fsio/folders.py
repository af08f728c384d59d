"""Making a folder that may not be there yet, with those above it."""

from __future__ import annotations

import os
from pathlib import Path

from studio.fsio.root import Root


def made(folder: Path | str) -> Root:
    """The Root of a folder, made with those above it where they are missing.

    Links above it are followed, as everywhere outside of a novel. Raises
    StudioError (kind `disk`, exit 1) when it cannot be made.
    """
    there = Path(os.path.abspath(folder))
    missing: list[str] = []
    while not there.is_dir() and there != there.parent:
        missing.insert(0, there.name)
        there = there.parent
    if missing:
        Root(there).make_folder("/".join(missing))
    return Root(folder)
