"""The style sheets that the first frame of a novel does without (performance P5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App

_FOLDER = Path(__file__).parents[1]
_LATER = (_FOLDER / "overlays.tcss", _FOLDER / "desk/furniture.tcss")


def read_later_sheets(app: App[Any]) -> None:
    """Reads them, once; before anything is mounted that they have rules for."""
    sheet = app.stylesheet
    unread = [path for path in _LATER if not sheet.has_source(str(path))]
    if unread:
        sheet.read_all(unread)
        sheet.parse()  # what was parsed before is not parsed again
        sheet.update(app)
