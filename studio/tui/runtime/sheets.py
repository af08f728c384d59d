"""The style sheets that the first frame of a novel does without (performance P5, P18)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textual.app import App
from textual.screen import Screen

_FOLDER = Path(__file__).parents[1]
_SMALL = _FOLDER / "desk/small_windows.tcss"
_LATER = (_FOLDER / "overlays.tcss", _FOLDER / "desk/furniture.tcss", _SMALL)


def read_later_sheets(app: App[Any]) -> None:
    """Reads them, once; before anything is mounted that they have rules for."""
    if _read(app, _LATER):
        app.stylesheet.update(app)


def read_sheet_of_small_windows(app: App[Any]) -> None:
    """Reads that of the desk, once; before its widgets have styles."""
    _read(app, (_SMALL,))


def read_sheets_of(screen: Screen[Any], app: App[Any]) -> None:
    """Reads those of a page before it opens, once. Textual would parse all there are anew for one
    more, and look up the styles of everything: nothing there has rules in it."""
    _read(app, screen.css_path)


def _read(app: App[Any], paths: Sequence[Path]) -> bool:
    sheet = app.stylesheet
    unread = [path for path in paths if not sheet.has_source(str(path))]
    if unread:
        sheet.read_all([*unread])
        sheet.parse()  # what was parsed before is not parsed again
    return bool(unread)
