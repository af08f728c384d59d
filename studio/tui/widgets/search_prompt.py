"""The search prompt at the foot of a pane, and the words that were typed last."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from studio.text.safe import safe_text

TYPING = "-typing"
"""The class of a view while keys are text in it."""


class SearchPrompt:
    """A line that takes keys while it is open; every change of its words starts a new search."""

    def __init__(self, view: Widget, search: Callable[[str], None]) -> None:
        self._view = view
        self._search = search
        self.is_open = False
        """Whether keys are taken as search text."""
        self.words = ""
        """The typed words; after the prompt is closed, the words that "the next" refers to."""
        self._line = ""

    def open(self) -> None:
        """Opens an empty prompt; the words of the last search are kept until something is typed."""
        self._turn(True)

    def close(self) -> None:
        """Closes the prompt and leaves the keys to the pane."""
        self._turn(False)

    def press(self, event: events.Key) -> None:
        """Types a printable key, deletes a character with Backspace, or closes the prompt."""
        if not self.is_open:
            return
        if event.key in ("escape", "enter"):
            self.close()
        elif event.key == "backspace":
            self._type(self._line[:-1])
        elif event.character is not None and event.is_printable:
            self._type(self._line + event.character)
        else:
            return
        event.stop()
        event.prevent_default()

    def paste(self, event: events.Paste) -> None:
        """Types the first line of the pasted text."""
        if self.is_open:
            self._type(self._line + event.text.partition("\n")[0])
            event.stop()

    def strip(self, width: int, look: Style, note: str = "") -> Strip:
        """Renders the prompt, followed by a note."""
        words = "/" + safe_text(self._line, keep_newlines=False)
        return Strip([Segment(words + note, look)]).adjust_cell_length(width, look)

    def _turn(self, is_open: bool) -> None:
        self._line = ""
        if is_open != self.is_open:
            self.is_open = is_open
            self._view.set_class(is_open, TYPING)
            self._view.refresh()

    def _type(self, words: str) -> None:
        self._line = self.words = words
        self._view.refresh()
        if words.strip():
            self._search(words)
