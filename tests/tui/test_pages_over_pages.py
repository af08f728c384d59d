"""What a screen knows of those below it, and what goes when another novel is opened."""

from __future__ import annotations

import pytest

from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Ask
from studio.tui.screens.help import HelpScreen
from studio.tui.screens.launcher import LauncherScreen
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened


@pytest.mark.sweep
async def test_every_screen_over_the_desk_has_its_facts(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        await studio.press("f2")
        studio.app.push_screen(Ask("A question"))
        await studio.press("f1", "ctrl+p")
        palette = studio.app.screen
        _, *over = studio.app.screen_stack
        assert palette in over
        facts = studio.desk.situation()
        assert facts.novel
        places = [screen for screen in over if isinstance(screen, StudioScreen)]
        assert [screen.situation() for screen in places] == [facts] * 3
        assert [screen.below for screen in places] == [studio.desk, *places[:-1]]


async def test_help_is_opened_once(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        await studio.press("f1", "f1")
        assert len([s for s in studio.app.screen_stack if isinstance(s, HelpScreen)]) == 1


@pytest.mark.sweep
async def test_another_novel_takes_the_place_of_all_that_is_open(desk: OpenDesk) -> None:
    there = desk()
    async with opened(there.folder, there.environ) as studio:
        await studio.press("f1", "f2", "ctrl+o")
        await studio.until(lambda: isinstance(studio.app.screen, LauncherScreen), "the launcher")
        assert len(studio.app.screen_stack) == 1
