"""What a screen shows, row by row. Textual keeps that to itself; the tests ask here."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen
from textual.strip import Strip


def strips_of(screen: Screen[Any]) -> list[Strip]:
    """Returns the rows of a screen as they are drawn now."""
    return screen._compositor.render_strips()
