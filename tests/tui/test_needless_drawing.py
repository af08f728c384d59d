"""What looks as before is neither laid out nor drawn again, and a page is made once (P18)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Static

from studio.tui.screens.ask import Confirm
from studio.tui.screens.page import PageScreen
from studio.tui.views.run.moment import begun
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView
from tests.tui.environs import NAMED
from tests.tui.gallery import novel
from tests.tui.pilot import StudioPilot, opened


@asynccontextmanager
async def at_rest(tmp_path: Path) -> AsyncIterator[StudioPilot]:
    """The app on a novel in work, with nothing left to draw."""
    folder = novel(tmp_path / "novel", "en").layout.folder
    async with opened(folder, {**os.environ, **NAMED}) as studio:
        await studio.settled()
        await studio.desk.wait_drawn()
        yield studio


def layouts_of(desk: Screen[None]) -> list[object]:
    """Grows by one with each layout from now on."""
    layouts: list[object] = []
    desk.screen_layout_refresh_signal.subscribe(desk, layouts.append)
    return layouts


def styled_by(sheet: Stylesheet, monkeypatch: pytest.MonkeyPatch) -> Counter[DOMNode]:
    """How often each widget has its styles looked up from now on."""
    styled: Counter[DOMNode] = Counter()
    apply = sheet.apply

    def counted(node: DOMNode, **options: Any) -> None:
        styled[node] += 1
        apply(node, **options)

    monkeypatch.setattr(sheet, "apply", counted)
    return styled


async def test_a_novel_that_is_read_again_is_not_laid_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path) as studio:
        desk = studio.desk
        await desk.reread()
        await desk.wait_drawn()
        layouts = layouts_of(desk)
        drawn: list[str] = []
        for kind in (OutlineList, ProseView, Static):
            refresh = kind.refresh

            def counted(self: Any, *args: Any, _refresh: Any = refresh, **options: Any) -> Any:
                drawn.append(repr(self))
                return _refresh(self, *args, **options)

            monkeypatch.setattr(kind, "refresh", counted)
        await desk.reread(fresh=False)
        await desk.wait_drawn()
        assert not layouts
        assert not drawn


async def test_a_title_that_changes_is_drawn_without_a_layout(tmp_path: Path) -> None:
    async with at_rest(tmp_path) as studio:
        desk = studio.desk
        layouts = layouts_of(desk)
        desk.state.model = "the other one"
        desk.painter.title()
        await studio.until(lambda: "the other one" in studio.screen, "the title")
        assert not layouts


async def test_a_page_is_styled_and_laid_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path) as studio:
        styled = styled_by(studio.app.stylesheet, monkeypatch)
        page = Confirm("A question?", "What follows.")
        studio.app.push_screen(page)
        await studio.sees(Confirm, "What follows.")
        assert {styled[words] for words in page.query(Static)} == {1}
        assert page.fitted == studio.app.size
        assert page.has_class("-wide")
        styled.clear()
        await studio.home()
        await studio.desk.wait_drawn()
        assert not styled[studio.desk.query_one("#title-line")]


async def test_the_first_page_of_a_kind_has_its_own_sheet_parsed_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path) as studio:
        sheet = studio.app.stylesheet
        assert not any("page.tcss" in path for path, _variable in sheet.source)
        anew: list[str] = []
        monkeypatch.setattr(sheet, "reparse", lambda: anew.append("parsed"))
        monkeypatch.setattr(sheet, "update", lambda *_args: anew.append("styled"))
        studio.app.push_screen(PageScreen("A page", ()))
        await studio.sees(PageScreen, "A page")
        assert studio.app.screen.query_one("#page-title").styles.height.value == 1
        assert not anew


async def test_directives_that_need_no_room_cost_the_styles_of_their_pane_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path) as studio:
        desk = studio.desk
        pane = desk.query_one("#directives-pane")
        desk.state.run = begun(2, desk.state.run)
        desk.state.current = desk.state.current._replace(sheet=None)
        styled = styled_by(studio.app.stylesheet, monkeypatch)
        desk.painter.room()
        assert not pane.display
        assert pane in styled
        assert not [node for node in styled if pane not in node.ancestors_with_self]
