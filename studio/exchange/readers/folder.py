"""Decides which files of a folder are read, and in what order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from studio.errors import usage
from studio.messages import said, series
from studio.project.files.other_hands import is_sync_copy

TEXTS = frozenset(
    [
        *(".md", ".markdown", ".txt", ".text", ".docx", ".epub", ".html", ".htm", ".xhtml", ".rtf"),
        *(".odt", ".ott", ".fodt"),
    ]
)
"""The suffixes of the files that are read from a folder; a file named
individually may have any name."""
MOST = 5_000
"""The maximum number of files in one folder."""
_DIGITS = re.compile(r"(\d+)")


OTHERS = frozenset(
    {
        *(".doc", ".pages", ".pdf", ".hwp", ".hwpx", ".wps", ".wpd", ".tex"),
        *(".scrivx", ".mobi", ".azw3", ".fb2", ".docm", ".dotx"),
    }
)
"""The suffixes of texts that cannot be read; they are named, for a chapter may be among them."""
_NOBODYS = re.compile(
    r"~\$|~WRL\d|\.~|.*\.(?:bak|tmp|temp|swp|swo|orig|rej|crdownload|part|download)(?:\.|$)|.*~$",
    re.IGNORECASE,
)
"""Matches the names of files that programs make beside a text while it is open, or of a copy."""


def files_of(folder: Path) -> list[Path]:
    """Returns the texts in a folder and its subfolders in reading order.

    Hidden files and links are skipped, and so are those that `strays_of` returns. Raises
    StudioError (exit 2) when there is no text, or too many.
    """
    files = _in_order(folder, (file for file, is_stray in _walk(folder) if not is_stray))
    if not files:
        raise usage(
            said("{folder} holds no text that can be read.", folder=folder),
            said("Names of texts end with {names}.", names=series(sorted(TEXTS))),
        )
    return files


def strays_of(folder: Path) -> list[Path]:
    """Returns the files of a folder that look like texts of hers and are not read: lock files,
    copies that a sync program made of a conflict, and documents of other programs."""
    return _in_order(folder, (file for file, is_stray in _walk(folder) if is_stray))


def _in_order(folder: Path, files: Iterator[Path]) -> list[Path]:
    return sorted(files, key=lambda file: _naturally(file.relative_to(folder)))


def _walk(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Yields the texts, and whether each is one that is not read."""
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = Path(place, name)
            suffix = file.suffix.lower()
            plain = not name.startswith(".") and suffix in TEXTS | OTHERS
            if not plain or file.is_symlink():
                continue
            if suffix in OTHERS or _NOBODYS.match(name) or is_sync_copy(name):
                yield file, True
                continue
            count += 1
            if count > MOST:
                raise usage(
                    said("{folder} holds more than {most} texts.", folder=folder, most=f"{MOST:,}"),
                    said("Name a part of it."),
                )
            yield file, False


def _naturally(path: Path) -> list[list[tuple[int, int, str]]]:
    return [
        [(1, int(p), "") if p.isdecimal() else (0, 0, p) for p in _DIGITS.split(part) if p]
        for part in path.parts
    ]
