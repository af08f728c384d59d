"""Typing words to find in a pane: the prompt at its foot, and what was typed last."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from studio.text.safe import safe_text


class SearchPrompt:
    """A line that takes keys while it is open; each change of its words searches anew."""

    def __init__(self, view: Widget, search: Callable[[str], None]) -> None:
        self._view = view
        self._search = search
        self.is_open = False
        """Whether keys are words now."""
        self.words = ""
        """What is typed, and after that what "the next" means."""
        self._line = ""

    def open(self) -> None:
        """Begins with an empty line; what was sought before stays until something is typed."""
        self._turn(True)

    def close(self) -> None:
        """Leaves the keys to the pane again."""
        self._turn(False)

    def press(self, event: events.Key) -> None:
        """Takes a key that is a letter, takes one back, or ends the line."""
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
        """Takes the first line of what is pasted."""
        if self.is_open:
            self._type(self._line + event.text.partition("\n")[0])
            event.stop()

    def strip(self, width: int, look: Style, note: str = "") -> Strip:
        """The line as it is drawn, with a note behind it."""
        words = "/" + safe_text(self._line, keep_newlines=False)
        return Strip([Segment(words + note, look)]).adjust_cell_length(width, look)

    def _turn(self, is_open: bool) -> None:
        self._line = ""
        if is_open != self.is_open:
            self.is_open = is_open
            self._view.refresh()

    def _type(self, words: str) -> None:
        self._line = self.words = words
        self._view.refresh()
        if words.strip():
            self._search(words)
