"""The line on which the writer says what she wants of a chapter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from studio.tui.actions import Action, of
from studio.tui.desk.panes import DeskPanes
from studio.tui.views.situation import Situation

if TYPE_CHECKING:
    from textual.widgets import Input


class DeskDirection(DeskPanes):
    """The direction for the next run."""

    @property
    def _direction_line(self) -> Input:
        return cast("Input", self.query_one("#direction"))

    def do_desk_direction(self) -> None:
        """Opens the line for the direction."""
        field = self._direction_line
        field.value = self.direction
        field.display = True
        field.focus()

    def do_direction_keep(self) -> None:
        """Keeps the direction for the next run."""
        before, self.direction = self.direction, self._direction_line.value.strip()
        self._close_direction()
        if self.direction and self.situation().decision == "review":
            self.studio.say("Kept for a fresh draft: d offers one. This text stays as it is.")
        elif self.direction:
            self.studio.say("w writes with this direction.")
        elif before:
            self.studio.say("The direction is taken back; w writes without one.")

    def do_direction_leave(self) -> None:
        """The direction stays what it was."""
        self._close_direction()

    def _close_direction(self) -> None:
        self._direction_line.display = False
        self.go_to_pane(self.pane)

    def hinted(self) -> Iterable[Action]:
        """While words are typed here, the desk's own keys are letters."""
        if self.is_prepared and self._direction_line.has_focus:
            return (a for a in (*of("direction"), *of("global")) if a.hint)
        return super().hinted()

    def situation(self) -> Situation:
        """With this line."""
        now = super().situation()
        return now._replace(directing=self.is_prepared and self._direction_line.display)
