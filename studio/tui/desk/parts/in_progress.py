"""The chapter in progress at the desk: shown, discarded, read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.i18n import _
from studio.session import WriteOrder
from studio.tui.desk.protocol import try_to_do
from studio.tui.performs import performs

if TYPE_CHECKING:
    from studio.tui.desk.parts.run import RunFollower
    from studio.tui.desk.protocol import Desk


class InProgress:
    """What is done with the chapter in progress as a whole."""

    def __init__(self, desk: Desk, run: RunFollower) -> None:
        self._desk = desk
        self._state = desk.state
        self._run = run

    @performs("desk.discard")
    def discard(self) -> None:
        """Discards the chapter in progress, after a confirmation."""
        from studio.tui.screens.ask import Confirm

        def on_answer(yes: bool | None) -> None:
            if yes:
                self._desk.work(self._discard(), "decide")

        title = _("Discard chapter {inflight}?", inflight=self._desk.situation().inflight)
        words = _("Its texts stay in history, and it can be drafted afresh.")
        self._desk.studio.push_screen(Confirm(title, words), on_answer)

    async def _discard(self) -> None:
        if await try_to_do(self._desk, self._desk.session.discard):
            await self._desk.reread()

    @performs("desk.look")
    async def look(self) -> None:
        """Shows the text of the chapter in progress."""
        if await self.show():
            self._desk.go_to_pane("text")

    async def show(self) -> bool:
        """Shows the chapter in progress; returns whether there is one."""
        inflight = self._desk.situation().inflight
        if inflight is not None:
            await self._desk.show_chapter(inflight)
        return inflight is not None

    @performs("desk.again")
    def review_again(self) -> None:
        """Puts a committed chapter into review again; has the one in progress read again, if it was
        changed since it was judged."""
        if self._desk.situation().changed:
            self._desk.work(self._read_again(), "decide")
        elif self._state.chapter is not None:
            self._run.start("write", WriteOrder(chapter=self._state.chapter, again=True))

    async def _read_again(self) -> None:
        if await try_to_do(self._desk, self._desk.session.read_again):
            self._run.start("resume", is_priced=True)  # it stands beside the key
