"""The line in which the writer says what she wants of a chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.screen import Screen

from studio.i18n import _
from studio.pipeline.direction import direction_in_force, take_back_direction
from studio.story.checkpoint import Checkpoint
from studio.tui.desk.protocol import tried
from studio.tui.performs import performs

if TYPE_CHECKING:
    from textual.widgets import Input

    from studio.tui.desk.protocol import Desk


class Direction:
    """Edits the direction for the next run."""

    def __init__(self, desk: Desk, screen: Screen[Any]) -> None:
        self._desk = desk
        self._screen = screen

    @property
    def _line(self) -> Input:
        return cast("Input", self._screen.query_one("#direction"))

    @property
    def is_open(self) -> bool:
        """Whether the line is visible."""
        return self._line.display

    @property
    def has_keys(self) -> bool:
        """Whether the line is focused: the desk's own keys then type letters."""
        return self._line.has_focus

    @performs("desk.direction")
    def open(self) -> None:
        """Opens the line for the direction."""
        field = self._line
        field.value = self._desk.state.direction or self._in_force
        field.display = True
        field.focus()

    @property
    def _in_force(self) -> str:
        """The direction of the chapter in progress, or of the next one."""
        book = self._desk.state.book
        checkpoint = book.checkpoint if book is not None else None
        return direction_in_force(checkpoint) if isinstance(checkpoint, Checkpoint) else ""

    @performs("direction.keep")
    def keep(self) -> None:
        """Saves the direction for the next run; an empty one withdraws the saved one."""
        desk, state = self._desk, self._desk.state
        words, in_force = self._line.value.strip(), self._in_force
        before, state.direction = state.direction, "" if words == in_force else words
        self.leave()
        if not words and in_force:
            desk.work(self._take_back(), "decide")
            return
        if state.direction and desk.situation().decision == "review":
            desk.studio.say(_("Kept for a fresh draft: d offers one. This text stays as it is."))
        elif state.direction:
            desk.studio.say(_("w writes with this direction."))
        elif before:
            desk.studio.say(_("The direction is taken back; w writes without one."))

    @performs("direction.take_back")
    def take_back(self) -> None:
        """Withdraws the direction for the next run."""
        self._line.value = ""
        self.keep()

    async def _take_back(self) -> None:
        if await tried(self._desk, take_back_direction, self._desk.session.store):
            await self._desk.reread(fresh=False)
            self._desk.studio.say(_("The direction is taken back; w writes without one."))

    @performs("direction.leave")
    def leave(self) -> None:
        """Closes the line without changing the direction."""
        self._line.display = False
        self._desk.go_to_pane(self._desk.state.pane)
