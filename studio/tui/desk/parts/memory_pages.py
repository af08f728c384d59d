"""The desk's way to what the book remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.tui.desk.protocol import Desk
    from studio.tui.views.pages.memory_rows import Tab


class Memory:
    """Each page is opened at the end of the book."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @performs("desk.bible")
    def bible(self) -> None:
        """People, places, things."""
        self._open("bible")

    @performs("desk.promises")
    def promises(self) -> None:
        """What the reader was promised."""
        self._open("promises")

    @performs("desk.knowledge")
    def knowledge(self) -> None:
        """Who knows what."""
        self._open("knowledge")

    @performs("desk.continuity")
    def continuity(self) -> None:
        """What contradicts itself."""
        self._open("continuity")

    @performs("desk.lines")
    def lines(self) -> None:
        """What a model is told."""
        self._open("lines")

    def _open(self, tab: Tab) -> None:
        from studio.tui.screens.memory import MemoryScreen

        session = self._desk.session
        checkpoint = session.store.checkpoint()
        chapter = checkpoint.inflight_chapter or checkpoint.last_completed_chapter + 1
        self._desk.studio.push_screen(MemoryScreen(session, chapter, tab))
