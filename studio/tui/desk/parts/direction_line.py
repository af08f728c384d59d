"""The input line for the direction: Enter keeps it with the chapter, Esc leaves it as it was."""

from __future__ import annotations

from studio.i18n import _
from studio.tui.runtime.typing_pause import TypingPause
from studio.tui.screen import keys_for
from studio.tui.widgets.line_field import LineField


class DirectionLine(LineField):
    """The input line for what the writer wants of the chapter."""

    BINDINGS = keys_for("direction")

    def __init__(self, *, id: str | None = None) -> None:
        words = _("What do you want of this chapter? Enter keeps it, Esc leaves.")
        super().__init__(placeholder=words, id=id)
        self.pause: TypingPause | None = None
        """Has what is typed kept, although it is no direction yet."""

    def on_input_changed(self) -> None:
        """Notes that something was typed."""
        if self.pause is not None and self.display:
            self.pause.note_typing()
