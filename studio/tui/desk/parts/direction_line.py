"""The input line for the direction: Enter saves it for the next run, Esc cancels."""

from __future__ import annotations

from studio.i18n import _
from studio.tui.screen import keys_for
from studio.tui.widgets.line_field import LineField


class DirectionLine(LineField):
    """The input line for what the writer wants of the chapter."""

    BINDINGS = keys_for("direction")

    def __init__(self, *, id: str | None = None) -> None:
        words = _("What do you want of this chapter? Enter keeps it, Esc leaves.")
        super().__init__(placeholder=words, id=id)
