"""What keys do, the mouse does: hints are links, lists and answers are clicked, pages scroll."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.widget import Widget
from textual.widgets import OptionList

from studio.story.checkpoint import Decision
from studio.tui.screens.decision import ChoiceRow, DecisionScreen
from studio.tui.screens.help import HelpScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.views.review.decision_card import card_of
from studio.tui.widgets.action_line import ActionLine
from tests.tui.environs import no_server
from tests.tui.pilot import StudioPilot, opened
from tests.tui.showing import SITTINGS, WALKS, Sitting
from tests.tui.third_chapters import THIRD
from tests.tui.three_novels import manuscript

BACK = ("page.close", "kept.close", "settings.close", "history.close", "rebuild.close")
"""Ways back that need no answer."""


@pytest.mark.sweep
@pytest.mark.parametrize("sitting", WALKS)
async def test_on_every_screen_the_wheel_scrolls_and_the_way_back_is_a_link(
    sitting: Sitting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: U3
    monkeypatch.chdir(tmp_path)
    manuscript(Path("writing"), "en")
    folder = sitting.novel("en", tmp_path / "novel") if sitting.novel else None
    async with opened(folder, no_server(), (80, 24), painted=True) as studio:
        rows = [row for act in sitting.acts for row in act]
        for row, after in zip(rows, [*rows[1:], None], strict=True):
            if not row.goes_on:
                await studio.home()
            await row.bring(studio, THIRD["en"])
            await studio.pilot.pause()
            for view in long_views(studio):
                await wheel(studio, view, row.name)
            if after is None or not after.goes_on:
                await leave_by_link(studio)
        await studio.home()


def long_views(studio: StudioPilot) -> list[Widget]:
    """What shows more than fits, at its top."""
    views = studio.app.screen.query("LineScroll, OptionList, VerticalScroll").results(Widget)
    return [v for v in views if v.region and v.max_scroll_y > 3 and v.scroll_offset.y == 0]


async def wheel(studio: StudioPilot, view: Widget, name: str) -> None:
    """Turned down over a view, which follows."""
    await studio.pilot._post_mouse_events([events.MouseScrollDown], view, button=0)
    await studio.until(lambda: view.scroll_offset.y > 0, f"a scroll in {view.id} of {name}")


async def leave_by_link(studio: StudioPilot) -> None:
    """A click on the way back, where the foot of the screen has one."""
    here = studio.app.screen
    for line in here.query("#hints").results(ActionLine):
        for start, _, action_id in line._places:
            if action_id in BACK:
                await studio.pilot.click(line, offset=(start + 2, 0))
                await studio.until(lambda: studio.app.screen is not here, action_id)
                return


async def test_a_click_on_a_row_of_the_launcher_takes_it() -> None:
    async with opened(None, no_server(), (80, 24), painted=True) as studio:
        await studio.sees(LauncherScreen)
        rows = studio.app.screen.query_one("#recent", OptionList)
        before = studio.app.screen
        await studio.pilot.click(rows, offset=(4, 1))
        await studio.until(lambda: studio.app.screen is not before or studio.told, "an answer")


@pytest.mark.sweep
async def test_a_click_on_an_answer_takes_it() -> None:
    question = Decision(
        id="q", kind="gate", recommendation="keep", options=("keep", "edit"), rationale="It holds."
    )
    taken: list[object] = []
    async with opened(None, no_server(), (80, 24), painted=True) as studio:
        await studio.sees(LauncherScreen)
        studio.app.push_screen(DecisionScreen(card_of(question)), taken.append)
        await studio.sees(DecisionScreen, "Enter Choose")
        await studio.pilot.click(list(studio.app.screen.query(ChoiceRow))[1])
        await studio.until(lambda: taken, "the answer")
    assert taken[0].option == "edit"  # type: ignore[attr-defined]


@pytest.mark.sweep
async def test_the_hints_of_the_desk_are_links(tmp_path: Path) -> None:
    folder = SITTINGS[1].novel("en", tmp_path / "novel")  # type: ignore[misc]
    async with opened(folder, no_server(), (80, 24), painted=True) as studio:
        await studio.until(lambda: "w Write: about" in studio.screen, "the price, which moves them")
        line = studio.desk.query_one("#hints", ActionLine)
        at = next(start for start, _, action in line._places if action == "app.help")
        await studio.pilot.click(line, offset=(at + 3, 0))
        await studio.sees(HelpScreen)
