"""The line at the foot of the editor for finding and replacing text."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from studio.i18n import _
from studio.tui.widgets.line_field import LineField


class SearchBar(Horizontal):
    """The words to find and their replacement, in two input fields."""

    DEFAULT_CSS = """
    SearchBar { height: 1; padding: 0 2; background: $panel; display: none; }
    SearchBar Input { width: 1fr; background: $surface; margin-right: 2; }
    """

    class Sought(Message):
        """The words to find changed, or the writer asked for the next match."""

        def __init__(self, words: str, further: bool) -> None:
            super().__init__()
            self.words = words
            self.further = further

    class Replaced(Message):
        """The writer asked to replace the match."""

        def __init__(self, old: str, new: str) -> None:
            super().__init__()
            self.old = old
            self.new = new

    def compose(self) -> ComposeResult:
        """Places the two input fields side by side."""
        yield LineField(id="sought", placeholder=_("find"), compact=True)
        words = _("replace with (Enter one, Ctrl+R all)")
        yield LineField(id="replacement", placeholder=words, compact=True)

    @property
    def sought(self) -> str:
        """The words to find."""
        return self.query_one("#sought", Input).value

    @property
    def replacement(self) -> str:
        """The replacement text."""
        return self.query_one("#replacement", Input).value

    def begin(self, words: str) -> None:
        """Opens the bar and takes the focus; `words` are the words that the writer has selected."""
        self.display = True
        field = self.query_one("#sought", Input)
        if words:
            field.value = words
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Searches as the writer types."""
        event.stop()
        if event.input.id == "sought":
            self.post_message(self.Sought(self.sought, further=False))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Handles Enter: finds the next match, or replaces the current one."""
        event.stop()
        if event.input.id == "sought":
            self.post_message(self.Sought(self.sought, further=True))
        elif self.sought:
            self.post_message(self.Replaced(self.sought, self.replacement))
