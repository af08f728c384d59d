"""The files of an import as the writer arranges them: which, in what order, in which encoding.

Pure: each change returns new files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from rich.cells import cell_len, set_cell_size

from studio.i18n import _
from studio.tui.views.pages.import_plan import ENCODINGS
from studio.tui.views.words import Line, Phrase

_NAMES = dict(ENCODINGS)


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """A file chosen for an import."""

    path: Path
    encoding: str = ""
    """The encoding that the writer chose; empty if it is detected."""
    folder: Path | None = None
    """The folder that the writer named; in a vault it decides which files are notes."""


Files = tuple[ChosenFile, ...]


def added(files: Files, others: Iterable[ChosenFile]) -> Files:
    """Appends other files; a file that is already listed is not added again."""
    there = {file.path for file in files}
    fresh = {other.path: other for other in others if other.path not in there}
    return (*files, *fresh.values())


def removed(files: Files, at: int) -> Files:
    """Removes one of the files."""
    return (*files[:at], *files[at + 1 :])


def moved(files: Files, at: int, by: int) -> Files:
    """Moves a file by `by` places (up if negative), at most to either end."""
    to = max(0, min(len(files) - 1, at + by))
    rest = list(removed(files, at))
    rest.insert(to, files[at])
    return tuple(rest)


def read_as(files: Files, encoding: str, at: int | None = None) -> Files:
    """Sets the encoding of one file, or of all; empty means that it is detected."""
    return tuple(
        replace(file, encoding=encoding) if at is None or at == row else file
        for row, file in enumerate(files)
    )


def file_choices(files: Files) -> list[tuple[str, str]]:
    """Returns the choices "all files" and each file by its index."""
    return [("all", _("All files")), *((str(at), file.path.name) for at, file in enumerate(files))]


def chosen_lines(files: Files) -> list[Line]:
    """Returns one row per file: its place in the import, its name, its encoding and its folder."""
    wide = min(32, max((cell_len(file.path.name) for file in files), default=0))
    return [
        (
            Phrase(f"{number:>4}  ", "quiet"),
            Phrase(set_cell_size(file.path.name, wide)),
            Phrase(f"  {_read(file)}", "accent" if file.encoding else "quiet"),
            Phrase(f"   {file.path.parent}", "quiet"),
        )
        for number, file in enumerate(files, start=1)
    ]


def _read(file: ChosenFile) -> str:
    return _(_NAMES[file.encoding]) if file.encoding else _("encoding found out")
