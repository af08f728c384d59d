"""A screen that goes takes its work with it."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import pytest
from textual.app import ComposeResult
from textual.command import CommandList
from textual.messages import Prune
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker

from studio.tui.app import StudioApp
from studio.tui.performs import performs
from studio.tui.screen import StudioScreen
from studio.tui.screens.help import HelpScreen


class Line(Static):
    """Says when it is gone."""

    def __init__(self, gone: asyncio.Event) -> None:
        super().__init__(id="line")
        self._gone = gone

    def on_unmount(self) -> None:
        """The screen around it is still going."""
        self._gone.set()


class Page(StudioScreen, Screen[None]):
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


class Opening(Page):
    """A key comes before what it is about is there."""

    is_prepared = False

    async def wait_prepared(self) -> None:
        """It is there when its line has gone."""
        await self.line_gone.wait()


class Other(Page):
    """Could perform the same, about something else."""

    opened = 0

    @performs("launcher.open")
    def open(self) -> None:
        """Counts."""
        self.opened += 1


async def test_a_key_that_waits_goes_with_its_screen(tmp_path: Path) -> None:
    app = StudioApp(None, environ={"HOME": str(tmp_path)})
    async with app.run_test() as pilot:
        other = Other()
        await app.push_screen(other)
        await app.push_screen(Opening())
        await app.actions.perform("launcher.open")
        await app.pop_screen()
        await pilot.pause()
        assert other.opened == 0
        await app.actions.perform("launcher.open")
        assert other.opened == 1


class Unmade(Page):
    """The writer leaves while it is being made."""

    def compose(self) -> ComposeResult:
        """Nothing, as where the app is going already."""
        self.app.exit(0, return_code=0)
        return iter(())

    def on_mount(self) -> None:
        """Fills what is not there."""
        self.line_gone.set()
        self.query_one(Line)


async def test_who_leaves_while_a_screen_is_being_made_leaves_in_order(tmp_path: Path) -> None:
    app = StudioApp(None, environ={"HOME": str(tmp_path)})
    async with app.run_test():
        page = Unmade()
        app.push_screen(page)
        await page.line_gone.wait()
    assert app.return_code == 0
    assert app.faults.newest is None


async def test_the_palette_ends_its_search_before_its_list_goes(tmp_path: Path) -> None:  # req: T6
    app = StudioApp(None, environ={"HOME": str(tmp_path)})
    async with app.run_test() as pilot:
        app.open_palette()
        await pilot.pause()
        palette = app.screen
        outlived: list[Worker[None]] = []

        async def search() -> None:
            while palette.query(CommandList):
                await asyncio.sleep(0)
            outlived.append(worker)

        worker = palette.run_worker(search(), exit_on_error=False)
        await app.pop_screen()
        await pilot.pause()
        assert outlived == []


async def test_help_opens_over_a_card_that_has_no_keys_of_its_own(tmp_path: Path) -> None:
    app = StudioApp(None, environ={"HOME": str(tmp_path)})
    async with app.run_test() as pilot:
        await app.push_screen(Page())
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        assert app.faults.newest is None


async def test_work_that_is_cancelled_at_once_leaves_no_warning(  # req: T6
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    app = StudioApp(None, environ={"HOME": str(tmp_path)})
    async with app.run_test():
        page = Page()
        await app.push_screen(page)
        page.run_worker(page.draw()).cancel()
        await asyncio.sleep(0)
    gc.collect()
    assert not [str(warning.message) for warning in recwarn]


async def test_screens_that_are_wanted_at_once_come_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second took the place of the first while that was being made, and the app ended."""
    app = StudioApp(None, environ={"HOME": str(tmp_path)})
    async with app.run_test() as pilot:
        real, under_way, most = app.switch_screen, 0, 0

        async def switch_screen(screen: Screen[None]) -> None:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            await real(screen)
            under_way -= 1

        monkeypatch.setattr(app, "switch_screen", switch_screen)
        wanted = [app.run_worker(app.open_folder(None)) for _ in range(3)]
        await app.workers.wait_for_complete(wanted)
        await pilot.pause()
        assert most == 1
        assert len(app.screen_stack) == 1
        assert app.faults.newest is None
