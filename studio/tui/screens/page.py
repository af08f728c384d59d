"""A page to read: summary, state, evaluation, log, settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from studio.i18n import _
from studio.tui.actions import Where
from studio.tui.performs import performs
from studio.tui.screen import Place, keys_for
from studio.tui.views.words import Line, Said, line
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.lines_view import LinesView
from studio.tui.widgets.styled import content


class PageScreen(Place, Screen[None]):
    """A title and lines under it."""

    CSS_PATH = "page.tcss"
    WHERE: ClassVar[tuple[Where, ...]] = ("page",)
    BINDINGS = [*keys_for("page"), *keys_for("global")]

    def __init__(self, title: str, lines: Iterable[Line], at: int = 0) -> None:
        """`at`: the line, counted from 0, that is in sight at first."""
        super().__init__()
        self._at = at
        self._title = title
        self._lines: tuple[Line, ...] = tuple(lines)

    def compose(self) -> ComposeResult:
        """Title, page, hints."""
        yield Static(content(Said(self._title, "heading")), id="page-title")
        yield LinesView(id="page")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Shows the lines."""
        nothing = (line(_("There is nothing here yet."), "quiet"),)
        self.query_one(LinesView).show(self._lines or nothing)
        if self._at:
            self.query_one(LinesView).go_to_line(self._at)
        self.query_one(LinesView).focus()
        self.show_hints()

    @performs("page.close")
    def close(self) -> None:
        """Back."""
        self.dismiss(None)
