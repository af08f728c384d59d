"""Decides which files of a folder are read, and in what order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

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
        *(".fountain", ".fdx", ".opml", ".highland", ".rst", ".org", ".adoc", ".sxw", ".abw"),
    }
)
"""The suffixes of texts that cannot be read; they are named, for a chapter may be among them."""
_NOBODYS = re.compile(
    r"~\$|~WRL\d|\.~|.*\.(?:bak|tmp|temp|swp|swo|orig|rej|crdownload|part|download)(?:\.|$)|.*~$",
    re.IGNORECASE,
)
"""Matches the names of files that programs make beside a text while it is open, or of a copy."""
_LOCKS = re.compile(r"~\$|\.~lock\.", re.IGNORECASE)
_NO_TEXTS = (
    (said("a screenplay (Fountain)"), (".fountain",)),
    (said("a canvas of Obsidian"), (".canvas",)),
    (said("a view of Obsidian's notes (.base)"), (".base",)),
    (said("an outline (OPML)"), (".opml",)),
    (said("a file of the computer's system"), (".ds_store", "thumbs.db", "desktop.ini")),
    (
        said("a picture"),
        (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".tif", ".tiff", ".heic"),
    ),
)
Stray = Literal["open", "copy", "other", "link", "no text"]
"""Why a file of a folder is not read: a program made it beside a text, a sync program made it of a
conflict, another program's text, a link to somewhere else, or no text at all."""


def what_is_no_prose(name: str) -> str:
    """Returns what a file is that by its name holds no prose of anybody, such as `a picture`; empty
    for any other."""
    if _LOCKS.match(name):
        return said("the lock of a text that a program has open")
    lowered = name.lower()
    return next((kind for kind, ends in _NO_TEXTS if lowered.endswith(ends)), "")


def files_of(folder: Path) -> list[Path]:
    """Returns the texts in a folder and its subfolders in reading order.

    Hidden folders are skipped, and so are the files that `strays_of` returns. Raises StudioError
    (exit 2) when there is no text, or too many.
    """
    files = _in_order(folder, (file for file, stray in _walk(folder) if not stray))
    if not files:
        raise usage(
            said("{folder} holds no text that can be read.", folder=folder),
            said("Names of texts end with {names}.", names=series(sorted(TEXTS))),
        )
    return files


def strays_of(folder: Path) -> dict[Stray, list[str]]:
    """Returns the names of the files of a folder that are not read, by the reason."""
    reasons = {file: stray for file, stray in _walk(folder) if stray}
    names: dict[Stray, list[str]] = {}
    for file in _in_order(folder, iter(reasons)):
        names.setdefault(reasons[file], []).append(file.name)
    return names


def _in_order(folder: Path, files: Iterator[Path]) -> list[Path]:
    return sorted(files, key=lambda file: _naturally(file.relative_to(folder)))


def _walk(folder: Path) -> Iterator[tuple[Path, Stray | None]]:
    """Yields the files, and why each is not read, if it is not."""
    count = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = (Path(place, name) for name in folders)
        yield from ((link, "link") for link in links if link.is_symlink())
        for name in names:
            file = Path(place, name)
            if stray := _stray(file):
                yield file, stray
                continue
            count += 1
            if count > MOST:
                raise usage(
                    said("{folder} holds more than {most} texts.", folder=folder, most=f"{MOST:,}"),
                    said("Name a part of it."),
                )
            yield file, None


def _stray(file: Path) -> Stray | None:
    """Returns why a file is not read; None for a text."""
    suffix, name = file.suffix.lower(), file.name
    if file.is_symlink():
        return "link"
    if _NOBODYS.match(name):
        return "open"
    if name.startswith(".") or suffix not in TEXTS | OTHERS:
        return "no text"
    if is_sync_copy(name):
        return "copy"
    return "other" if suffix in OTHERS else None


def _naturally(path: Path) -> list[list[tuple[int, int, str]]]:
    return [
        [(1, int(p), "") if p.isdecimal() else (0, 0, p) for p in _DIGITS.split(part) if p]
        for part in path.parts
    ]
