"""A screen that goes takes its work with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from textual.app import ComposeResult
from textual.messages import Prune
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker

from studio.tui.app import StudioApp
from studio.tui.screen import Place


class Line(Static):
    """Says when it is gone."""

    def __init__(self, gone: asyncio.Event) -> None:
        super().__init__(id="line")
        self._gone = gone

    def on_unmount(self) -> None:
        """The screen around it is still going."""
        self._gone.set()


class Page(Place, Screen[None]):
    """Draws in its line once it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.line_gone = asyncio.Event()

    def compose(self) -> ComposeResult:
        """One line."""
        yield Line(self.line_gone)

    async def draw(self) -> None:
        """What an answer from the disk leads to."""
        await self.line_gone.wait()
        self.query_one(Line).update("drawn")


async def test_work_of_a_screen_ends_before_its_widgets_go(tmp_path: Path) -> None:  # req: T6
    app = StudioApp(None, environ={"HOME": str(tmp_path)})
    async with app.run_test() as pilot:
        page = Page()
        await app.push_screen(page)
        worker = page.run_worker(page.draw(), exit_on_error=False)
        await pilot.pause()
        await app.pop_screen()
        await pilot.pause()
        assert worker.is_cancelled


class Late(Page):
    """Begins to draw when it is already going."""

    def __init__(self) -> None:
        super().__init__()
        self.worker: Worker[None] | None = None

    async def on_prune(self, event: Prune) -> None:
        """What a timer or a list asked for before is called now."""
        self.call_next(self._begin)

    def _begin(self) -> None:
        self.worker = self.run_worker(self.draw(), exit_on_error=False)


async def test_a_screen_that_goes_begins_no_work(tmp_path: Path) -> None:  # req: T6
    app = StudioApp(None, environ={"HOME": str(tmp_path)})
    async with app.run_test() as pilot:
        page = Late()
        await app.push_screen(page)
        await pilot.pause()
        await app.pop_screen()
        await pilot.pause()
        assert page.worker is not None
        assert page.worker.is_cancelled
