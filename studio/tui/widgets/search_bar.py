"""The line at the foot of the editor on which words are sought and replaced."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from studio.i18n import _


class SearchBar(Horizontal):
    """What is sought, and what shall stand in its place."""

    DEFAULT_CSS = """
    SearchBar { height: 1; padding: 0 2; background: $panel; display: none; }
    SearchBar Input { width: 1fr; background: $surface; margin-right: 2; }
    """

    class Sought(Message):
        """The words to find are others now, or the next of them is wanted."""

        def __init__(self, words: str, further: bool) -> None:
            super().__init__()
            self.words = words
            self.further = further

    class Replaced(Message):
        """The words found shall be others."""

        def __init__(self, old: str, new: str) -> None:
            super().__init__()
            self.old = old
            self.new = new

    def compose(self) -> ComposeResult:
        """Two lines to type in, beside each other."""
        yield Input(id="sought", placeholder=_("find"), compact=True)
        words = _("replace with (Enter one, Ctrl+R all)")
        yield Input(id="replacement", placeholder=words, compact=True)

    @property
    def sought(self) -> str:
        """The words to find."""
        return self.query_one("#sought", Input).value

    @property
    def replacement(self) -> str:
        """What shall stand there."""
        return self.query_one("#replacement", Input).value

    def begin(self, words: str) -> None:
        """Takes the keys; with words the writer has selected."""
        self.display = True
        field = self.query_one("#sought", Input)
        if words:
            field.value = words
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """The text follows what is typed."""
        event.stop()
        if event.input.id == "sought":
            self.post_message(self.Sought(self.sought, further=False))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter: the next, or this one replaced."""
        event.stop()
        if event.input.id == "sought":
            self.post_message(self.Sought(self.sought, further=True))
        elif self.sought:
            self.post_message(self.Replaced(self.sought, self.replacement))
