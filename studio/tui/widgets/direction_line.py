"""The line for the direction: Enter keeps it for the next run, Esc leaves it as it was."""

from __future__ import annotations

from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input


class DirectionLine(Input):
    """What the writer wants of the chapter."""

    BINDINGS = [Binding("escape", "leave", "Leave", show=False)]

    class Left(Message):
        """Nothing was said."""

    def __init__(self, *, id: str | None = None) -> None:
        words = "What do you want of this chapter? Enter keeps it, Esc leaves."
        super().__init__(placeholder=words, id=id)

    def action_leave(self) -> None:
        """As it was."""
        self.post_message(self.Left())
