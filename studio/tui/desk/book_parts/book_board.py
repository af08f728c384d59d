"""The link from the desk to the board, and from there to a chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.tui.desk.protocol import Desk


class BookBoard:
    """Opens the board: the whole book in figures."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @performs("desk.board")
    def show(self) -> None:
        """Opens the board; the chapter chosen there opens at the desk."""
        from studio.tui.board.board_screen import BoardScreen

        desk = self._desk
        desk.studio.push_screen(BoardScreen(desk.session, desk.state.chapter), self._choose)

    def _choose(self, chapter: int | None) -> None:
        if chapter is not None:
            self._desk.work(self._go(chapter), "browse", exclusive=True)

    async def _go(self, chapter: int) -> None:
        await self._desk.show_chapter(chapter)
        self._desk.painter.outline_list.go_to(chapter)
        self._desk.go_to_pane("text")
