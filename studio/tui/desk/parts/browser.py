"""The outline as a way through the book: the text follows its cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.screen import Screen

if TYPE_CHECKING:
    from textual.timer import Timer

    from studio.tui.desk.protocol import Desk
    from studio.tui.views.outline.rows import RowPlace

_REST = 0.12
"""Seconds the cursor rests on a chapter before it is shown."""


class Browser:
    """Shows the chapter or scene under the outline's cursor."""

    def __init__(self, desk: Desk, screen: Screen[Any]) -> None:
        self._desk = desk
        self._screen = screen
        self._timer: Timer | None = None

    def go_to(self, place: RowPlace) -> None:
        """Goes to a place and focuses its text."""
        if place.chapter:
            self._desk.work(self._go_to(place), "browse", exclusive=True)

    async def _go_to(self, place: RowPlace) -> None:
        await self._show(place)
        self._desk.go_to_pane("text")

    def pass_by(self, place: RowPlace) -> None:
        """Shows a place once the cursor has rested there."""
        state = self._desk.state
        if self._timer is not None:
            self._timer.stop()
        if (
            place.chapter
            and (place.chapter != state.chapter or place.scene)
            and not (state.run.running)
        ):
            self._timer = self._screen.set_timer(_REST, lambda: self._rest(place))

    def _rest(self, place: RowPlace) -> None:
        self._desk.work(self._show(place), "browse", exclusive=True)

    async def _show(self, place: RowPlace) -> None:
        await self._desk.wait_prepared()
        if place.chapter != self._desk.state.chapter:
            await self._desk.show_chapter(place.chapter)
        current = self._desk.state.current
        text = (current.planned or current.text) if current is not None else None
        scene = text.scene(place.scene) if text is not None and place.scene else None
        if scene is not None:  # one of the plan begins anywhere between the breaks of the text
            first = scene.paragraphs[0]
            self._desk.painter.prose.go_to(first.scene, first.number)
