"""How wide the app draws characters whose width depends on the terminal."""

from __future__ import annotations

from typing import Any

from textual.app import App

from studio.tui.terminal.ambiguous_width import widen
from studio.tui.terminal.capabilities import AsciiFilter, OwnGlyphsFilter
from studio.tui.views.prose.wrapping import forget_widths


class Widths:
    """What is known of the terminal: set by the writer, or answered before the first frame."""

    def __init__(self, app: App[Any], ambiguous: str) -> None:
        self._app = app
        self.filter = AsciiFilter()
        """Replaces glyphs where `ascii_only` is set."""
        self.is_asked = ambiguous == "auto"
        """Whether the driver asks the terminal how wide it draws “ (`ambiguous_width`)."""
        self.is_wide_by_answer = False
        """Whether the terminal has answered that it takes two cells; set by the driver."""
        if ambiguous == "wide":
            self._widen()

    def settle(self) -> None:
        """Takes the terminal's answer, at best before anything is laid out. If it comes behind the
        first frame, what is open is opened again, unless she has begun: it would take from her
        what she is at."""
        app: Any = self._app
        if not self.is_wide_by_answer or app.typed.has_taken:
            return
        self.is_wide_by_answer = False
        self._widen()
        if app.typed.has_painted:
            app.go_to(app.folder)
            return
        for widget in app.screen.query("*"):
            if hasattr(widget, "ascii_only"):
                widget.ascii_only = True

    def _widen(self) -> None:
        """Measures characters of ambiguous width as two cells, and draws no glyph of ours that
        might take two."""
        app: Any = self._app
        widen()
        forget_widths()
        if not app.ascii_only:
            app.ascii_only = True
            self.filter = OwnGlyphsFilter()
