"""Decides which files of a folder are read, and in what order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from studio.errors import usage
from studio.messages import said, series

TEXTS = frozenset(
    {".md", ".markdown", ".txt", ".text", ".docx", ".epub", ".html", ".htm", ".xhtml", ".rtf"}
)
"""The suffixes of the files that are read from a folder; a file named
individually may have any name."""
MOST = 5_000
"""The maximum number of files in one folder."""
_DIGITS = re.compile(r"(\d+)")


def files_of(folder: Path) -> list[Path]:
    """Returns the texts in a folder and its subfolders in reading order.

    Hidden files and links are skipped. Raises StudioError (exit 2) when there is no text, or too
    many.
    """
    files = sorted(_walk(folder), key=lambda file: _naturally(file.relative_to(folder)))
    if not files:
        raise usage(
            said("{folder} holds no text that can be read.", folder=folder),
            said("Names of texts end with {names}.", names=series(sorted(TEXTS))),
        )
    return files


def _walk(folder: Path) -> Iterator[Path]:
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = Path(place, name)
            plain = not name.startswith(".") and file.suffix.lower() in TEXTS
            if not plain or file.is_symlink():
                continue
            count += 1
            if count > MOST:
                raise usage(
                    said("{folder} holds more than {most} texts.", folder=folder, most=f"{MOST:,}"),
                    said("Name a part of it."),
                )
            yield file


def _naturally(path: Path) -> list[list[tuple[int, int, str]]]:
    return [
        [(1, int(p), "") if p.isdecimal() else (0, 0, p) for p in _DIGITS.split(part) if p]
        for part in path.parts
    ]
