"""The link from the desk to the pages of what the book remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.tui.desk.protocol import Desk
    from studio.tui.views.pages.memory_rows import Tab


class MemoryPages:
    """Opens each page as of the end of the book."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @performs("desk.bible")
    def bible(self) -> None:
        """Opens the page of people, places and things."""
        self._open("bible")

    @performs("desk.promises")
    def promises(self) -> None:
        """Opens the page of promises to the reader."""
        self._open("promises")

    @performs("desk.knowledge")
    def knowledge(self) -> None:
        """Opens the page of who knows what."""
        self._open("knowledge")

    @performs("desk.continuity")
    def continuity(self) -> None:
        """Opens the page of contradictions."""
        self._open("continuity")

    @performs("desk.lines")
    def lines(self) -> None:
        """Opens the page of the lines a model is given."""
        self._open("lines")

    def _open(self, tab: Tab) -> None:
        from studio.tui.screens.memory import MemoryScreen

        session = self._desk.session
        checkpoint = session.store.checkpoint()
        chapter = checkpoint.inflight_chapter or checkpoint.last_completed_chapter + 1
        self._desk.studio.push_screen(MemoryScreen(session, chapter, tab))
