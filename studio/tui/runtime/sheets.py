"""The style sheets that are not needed for the first frame of a novel (performance P5, P18)."""

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
    """Reads the later sheets once; call it before anything is mounted that they have rules for."""
    if _read(app, _LATER):
        app.stylesheet.update(app)


def read_sheet_of_small_windows(app: App[Any]) -> None:
    """Reads the sheet for small windows once; call it before the widgets of the desk have
    styles."""
    _read(app, (_SMALL,))


def read_sheets_of(screen: Screen[Any], app: App[Any]) -> None:
    """Reads the sheets of a page once, before the page opens. Textual would parse all sheets again
    for each new one and look up every widget's styles, although the new sheet has no rules for
    them."""
    _read(app, screen.css_path)


def _read(app: App[Any], paths: Sequence[Path]) -> bool:
    sheet = app.stylesheet
    unread = [path for path in paths if not sheet.has_source(str(path))]
    if unread:
        sheet.read_all([*unread])
        sheet.parse()  # sheets that have been parsed are not parsed again
    return bool(unread)
