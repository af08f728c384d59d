"""A saved text compared with the present one, and restoring it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from studio.i18n import _
from studio.pipeline.variations import KeptText
from studio.tui.performs import performs
from studio.tui.screen import StudioScreen
from studio.tui.views.pages.saved_texts import kept_line
from studio.tui.views.situation import Situation
from studio.tui.views.words import Phrase
from studio.tui.widgets.action_line import ActionLine
from studio.tui.widgets.diff_view import DiffView
from studio.tui.widgets.styled import content


class KeptScreen(StudioScreen, Screen[bool]):
    """The changes that restoring the text would make; returns True to restore it."""

    CSS_PATH = "saved_text.tcss"
    WHERE = ("kept",)

    def __init__(self, saved: KeptText, present: str, language: str) -> None:
        super().__init__()
        self.saved = saved
        self._present = present
        self._language = language
        self.refused = ""
        """Why the text cannot be brought back; empty where it can."""

    def compose(self) -> ComposeResult:
        """Yields which text it is, what it would change, and the hints."""
        yield Static(content(kept_line(self.saved)), id="kept-title")
        words = _("− the present text, + the kept one.")
        yield Static(content(Phrase(words, "quiet")), id="kept-legend")
        yield DiffView(id="kept-diff")
        yield ActionLine(id="hints")

    def on_mount(self) -> None:
        """Compares the two texts."""
        view = self.query_one(DiffView)
        view.ascii_only = self.studio.ascii_only
        view.show(self._present, self.saved.text, self._language)
        view.focus()
        self.show_hints()

    def situation(self) -> Situation:
        """Returns the desk's situation, and why this text cannot be brought back."""
        return super().situation()._replace(refused=self.refused)

    @performs("kept.bring_back")
    def bring_back(self) -> None:
        """Confirms; the desk restores the text."""
        self.dismiss(True)

    @performs("kept.close")
    def close(self) -> None:
        """Closes the page without a change."""
        self.dismiss(False)
