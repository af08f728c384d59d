"""What looks as before is neither laid out nor drawn again, and a page is made once (P18)."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from textual._compositor import Compositor
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from studio.pipeline.events import Event
from studio.tui.runtime.resilience import SteadyWidget
from studio.tui.screens.ask import Confirm
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.page import PageScreen
from studio.tui.views.run.moment import begin_run
from studio.tui.widgets.outline_list import OutlineList
from studio.tui.widgets.prose_view import ProseView
from tests.tui.environs import NAMED
from tests.tui.gallery import novel
from tests.tui.pilot import StudioPilot, opened


@asynccontextmanager
async def at_rest(tmp_path: Path, *, painted: bool = False) -> AsyncIterator[StudioPilot]:
    """The app on a novel in work, with nothing left to draw."""
    folder = novel(tmp_path / "novel", "en").layout.folder
    async with opened(folder, {**os.environ, **NAMED}, (120, 40), painted=painted) as studio:
        await studio.until(lambda: studio.desk.state.price_known, "what w costs")
        await studio.desk.wait_drawn()
        yield studio


def layouts_of(desk: Screen[None]) -> list[object]:
    """Grows by one with each layout from now on."""
    layouts: list[object] = []
    desk.screen_layout_refresh_signal.subscribe(desk, layouts.append)
    return layouts


def whole_drawings(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows by one whenever every row of a screen is drawn from now on."""
    drawings: list[object] = []
    draw = Compositor.render_full_update

    def counted(compositor: Compositor, **options: Any) -> Any:
        drawings.append(compositor)
        return draw(compositor, **options)

    monkeypatch.setattr(Compositor, "render_full_update", counted)
    return drawings


def styled_by(sheet: Stylesheet, monkeypatch: pytest.MonkeyPatch) -> Counter[DOMNode]:
    """How often each widget has its styles looked up from now on."""
    styled: Counter[DOMNode] = Counter()
    apply = sheet.apply

    def counted(node: DOMNode, **options: Any) -> None:
        styled[node] += 1
        apply(node, **options)

    monkeypatch.setattr(sheet, "apply", counted)
    return styled


@pytest.mark.sweep
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


@pytest.mark.sweep
async def test_a_title_that_changes_is_drawn_without_a_layout(tmp_path: Path) -> None:
    async with at_rest(tmp_path) as studio:
        desk = studio.desk
        layouts = layouts_of(desk)
        desk.state.model = "the other one"
        desk.painter.title()
        await studio.until(lambda: "the other one" in studio.screen, "the title")
        assert not layouts


async def test_a_notice_that_comes_and_goes_is_one_layout_each_time(tmp_path: Path) -> None:
    async with at_rest(tmp_path) as studio:
        desk = studio.desk
        notice = desk.query_one("#notice")
        layouts = layouts_of(desk)
        for count in (1, 2):
            notice.display = not notice.display
            await studio.until(lambda count=count: len(layouts) >= count, "the layout")
            await desk.wait_drawn()
            await desk.wait_drawn()
            assert len(layouts) == count


async def test_a_thread_at_work_does_not_break_into_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path) as studio:
        desk = studio.desk
        turns: dict[str, float] = {}

        def seen(step: str) -> Any:
            return lambda *_args, **_options: turns.update({step: sys.getswitchinterval()})

        monkeypatch.setattr(desk.painter, "outline", seen("a chapter"))
        monkeypatch.setattr(desk.bridge, "_on_events", seen("events"))
        with monkeypatch.context() as patched:  # the app under test has put its own there as well
            for step in ("_refresh_layout", "_compositor_refresh"):
                patched.setattr(Screen, step, seen(step))
            desk._refresh_layout()
            desk._compositor_refresh()
        await desk.show_chapter(1)
        desk.bridge._hear(cast("Event", object()))
        await studio.until(lambda: "events" in turns, "the events")
        assert turns == {step: pytest.approx(0.05) for step in turns}
        assert len(turns) == 4
        assert sys.getswitchinterval() == pytest.approx(0.0005)


def cells(strips: list[Strip]) -> list[list[tuple[str, object, object]]]:
    """What stands in each cell of the rows, in which colours."""
    return [
        [(c, seg.style and seg.style.color, seg.style and seg.style.bgcolor)
         for seg in strip for c in seg.text] for strip in strips
    ]  # fmt: skip


@pytest.mark.sweep
async def test_the_bars_and_the_text_of_the_desk_are_drawn_as_textual_would_and_by_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path) as studio:
        desk = studio.desk
        await desk.show_chapter(1)
        await desk.wait_drawn()
        for kind in (ProseView, OutlineList):
            view = desk.query_one(kind)
            bar = view.vertical_scrollbar
            strips = bar.render_lines(rows := bar.size.region)
            assert cells(strips) == cells(Widget.render_lines(bar, rows))
            assert len({id(strip) for strip in strips}) < 5 < len(strips)
        prose = desk.query_one(ProseView)
        rows = Region(0, 0, prose.pane.width + prose.styles.padding.width, prose.pane.height)
        wanted = cells(SteadyWidget.paint(prose, rows))
        monkeypatch.setattr(SteadyWidget, "paint", None)
        assert cells(prose.paint(rows)) == wanted


@pytest.mark.sweep
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


@pytest.mark.sweep
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


@pytest.mark.sweep
async def test_directives_that_need_no_room_cost_the_styles_of_their_pane_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path) as studio:
        desk = studio.desk
        pane = desk.query_one("#directives-pane")
        desk.state.current = desk.state.current._replace(chapter=3, sheet=None)
        desk.painter.room()
        assert pane.display, "beside a chapter that is not in the book"
        desk.state.run = begin_run(3, desk.state.run)
        styled = styled_by(studio.app.stylesheet, monkeypatch)
        desk.painter.room()
        assert not pane.display
        assert pane in styled
        assert not [node for node in styled if pane not in node.ancestors_with_self]


@pytest.mark.sweep
async def test_another_pane_costs_the_styles_of_the_titles_and_no_drawing_of_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path, painted=True) as studio:
        desk = studio.desk
        drawings = whole_drawings(monkeypatch)
        styled = styled_by(studio.app.stylesheet, monkeypatch)
        await studio.press("2")
        await desk.wait_drawn()
        assert desk.query_one("#tabs") in styled
        assert desk not in styled
        assert desk.query_one("#directives") not in styled
        assert not drawings


@pytest.mark.sweep
async def test_a_pane_alone_is_the_one_with_the_keys(tmp_path: Path) -> None:
    async with at_rest(tmp_path) as studio:
        desk = studio.desk
        await studio.press("2")
        await studio.ask_for("desk.zoom")
        assert desk.query_one("#text-pane").display
        assert not desk.query_one("#outline-pane").display
        await studio.press("1")
        assert desk.query_one("#outline-pane").display
        assert not desk.query_one("#text-pane").display


@pytest.mark.sweep
async def test_a_page_is_drawn_whole_once_as_it_opens_and_the_desk_once_as_it_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path, painted=True) as studio:
        desk = studio.desk
        drawings = whole_drawings(monkeypatch)
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        editor = studio.app.screen
        await studio.until(lambda: editor.measures is not None, "the numbers")
        await studio.until(lambda: not editor._layout_required, "its layout")
        assert drawings == [editor._compositor]
        drawings.clear()
        layouts = layouts_of(desk)
        await studio.press("escape")
        await studio.home()
        await studio.until(lambda: not editor.is_attached, "its end")
        await desk.wait_drawn()
        assert drawings == [desk._compositor]
        assert not layouts


@pytest.mark.sweep
async def test_all_is_drawn_anew_where_somebody_else_has_drawn_over_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_rest(tmp_path, painted=True) as studio:
        drawings = whole_drawings(monkeypatch)
        studio.app.app_resume_signal.publish(studio.app)
        await studio.until(lambda: drawings, "the drawing")
