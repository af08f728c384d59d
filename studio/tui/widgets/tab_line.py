"""The row of tabs above the text pane."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from studio.i18n import N_, _
from studio.tui.runtime.resilience import SteadyWidget
from studio.tui.views.words import Phrase
from studio.tui.widgets.styled import content

_NAMES = {
    "draft": N_("Draft"),
    "diff": N_("Diff"),
    "plan": N_("Plan"),
    "context": N_("Context"),
    "variations": N_("Variations"),
}
"""The titles of the tabs."""


class TabLine(SteadyWidget, Widget):
    """A row of tabs; a click switches to a tab."""

    DEFAULT_CSS = """
    TabLine { height: 1; }
    """

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, tab: str) -> None:
            super().__init__()
            self.tab = tab

    def __init__(
        self, tabs: Sequence[str], *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.tabs = tuple(tabs)
        self.current = self.tabs[0]
        self.note = ""

    def show(self, tab: str, note: str | None = None) -> None:
        """Marks the current tab; `note` is displayed after the tabs."""
        self.current = tab
        self.note = self.note if note is None else note
        self.refresh()

    def render(self) -> Content:
        """Renders the tabs with the current one marked."""
        pieces = [
            Phrase(f"{_name(tab)}  ", "heading" if tab == self.current else "quiet")
            for tab in self.tabs
        ]
        return content((*pieces, Phrase(self.note, "quiet")))

    def on_click(self, event: events.Click) -> None:
        """Posts `Chosen` for the tab under the mouse."""
        at = 0
        for tab in self.tabs:
            at += cell_len(_name(tab)) + 2
            if event.x < at + self.gutter.left:
                self.post_message(self.Chosen(tab))
                return


def _name(tab: str) -> str:
    return _(_NAMES.get(tab, tab.capitalize()))
