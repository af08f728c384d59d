"""The files of an import as the writer puts them together: which, in what order, read as what.

Pure: each change returns other files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from rich.cells import cell_len, set_cell_size

from studio.i18n import _
from studio.tui.views.pages.import_plan import ENCODINGS
from studio.tui.views.words import Line, Said

_NAMES = dict(ENCODINGS)


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """One file."""

    path: Path
    encoding: str = ""
    """As the writer says; empty where it is found out."""
    folder: Path | None = None
    """The folder the writer named it by; of a vault it says what is a note."""


Files = tuple[ChosenFile, ...]


def added(files: Files, others: Iterable[ChosenFile]) -> Files:
    """With others behind them; a file is there once."""
    there = {file.path for file in files}
    fresh = {other.path: other for other in others if other.path not in there}
    return (*files, *fresh.values())


def removed(files: Files, at: int) -> Files:
    """Without one of them."""
    return (*files[:at], *files[at + 1 :])


def moved(files: Files, at: int, by: int) -> Files:
    """With one of them further up (`by` below 0) or down, no further than the end."""
    to = max(0, min(len(files) - 1, at + by))
    rest = list(removed(files, at))
    rest.insert(to, files[at])
    return tuple(rest)


def read_as(files: Files, encoding: str, at: int | None = None) -> Files:
    """With one of them, or all, read in another encoding; empty lets it be found out."""
    return tuple(
        replace(file, encoding=encoding) if at is None or at == row else file
        for row, file in enumerate(files)
    )


def file_choices(files: Files) -> list[tuple[str, str]]:
    """All of them, or one by its place in the list."""
    return [("all", _("All files")), *((str(at), file.path.name) for at, file in enumerate(files))]


def chosen_lines(files: Files) -> list[Line]:
    """A row a file: its place in the import, its name, its encoding, its folder."""
    wide = min(32, max((cell_len(file.path.name) for file in files), default=0))
    return [
        (
            Said(f"{number:>4}  ", "quiet"),
            Said(set_cell_size(file.path.name, wide)),
            Said(f"  {_read(file)}", "accent" if file.encoding else "quiet"),
            Said(f"   {file.path.parent}", "quiet"),
        )
        for number, file in enumerate(files, start=1)
    ]


def _read(file: ChosenFile) -> str:
    return _(_NAMES[file.encoding]) if file.encoding else _("encoding found out")
