"""The diff in an app: finished, streaming, without colour, foreign text."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from studio.tui.widgets.diff_view import DiffView
from tests.tui.painted import strips_of

BEFORE = "그녀는 두려움을 느꼈다. 바람이 불었다. 불이 꺼졌다."
AFTER = "그녀의 손이 떨렸다. 바람이 불었다. 불이 꺼졌다."


class Desk(App[None]):
    """A diff and nothing else."""

    CSS = "DiffView { height: 1fr; }"

    def compose(self) -> ComposeResult:
        yield DiffView()


def screen(app: App[None]) -> str:
    rows = strips_of(app.screen)
    return " ".join("".join(strip.text.split()) for strip in rows).strip()


async def settled(pilot: Pilot[None]) -> None:
    while pilot.app.query_one(DiffView).busy:
        await pilot.pause(0.01)
    await pilot.pause()


async def test_what_went_is_struck_and_what_came_underlined() -> None:
    app = Desk()
    async with app.run_test(size=(30, 8)) as pilot:
        view = app.query_one(DiffView)
        view.show("She felt fear.", "She felt dread.", "en")
        await settled(pilot)
        looks = {
            segment.text: (bool(segment.style.strike), bool(segment.style.underline))
            for segment in view.render_line(0)
            if segment.text.strip() and segment.style is not None
        }
        assert looks["fear"] == (True, False)
        assert looks["dread"] == (False, True)
        assert view.size.height <= 8


async def test_changes_need_no_colour() -> None:
    app = Desk()
    async with app.run_test(size=(60, 8)) as pilot:
        view = app.query_one(DiffView)
        view.show("She felt fear.", "She felt dread.", "en")
        await settled(pilot)
        assert screen(app) == "±Shefelt[fear→dread]."


async def test_a_rewrite_streams_in_and_ends_as_the_whole_change() -> None:
    app = Desk()
    async with app.run_test(size=(30, 8)) as pilot:
        view = app.query_one(DiffView)
        view.show(BEFORE, "", "ko", finished=False)
        await settled(pilot)
        assert "−" not in screen(app)
        for length in range(1, 12):
            view.show(BEFORE, AFTER[:length], "ko", finished=False)
        await settled(pilot)
        assert "+" in screen(app)
        assert "불이꺼졌다." in screen(app).replace(" ", "")
        view.show(BEFORE, AFTER, "ko")
        await settled(pilot)
        streamed = screen(app)
        view.show("", "", "ko")
        await settled(pilot)
        assert screen(app) == ""
        view.show(BEFORE, AFTER, "ko")
        await settled(pilot)
        assert screen(app) == streamed


async def test_a_whole_chapter_scrolls() -> None:
    app = Desk()
    async with app.run_test(size=(40, 8)) as pilot:
        view = app.query_one(DiffView)
        view.show((BEFORE + "\n\n") * 200, (AFTER + "\n\n") * 200, "ko")
        await settled(pilot)
        view.focus()
        await pilot.press("G")
        assert view.scroll_offset.y == view.max_scroll_y > 100


async def test_foreign_text_is_shown_literally() -> None:  # req: S7, S8
    app = Desk()
    async with app.run_test(size=(60, 8)) as pilot:
        view = app.query_one(DiffView)
        view.show("[/b]", "[@click=app.quit]나가기[/] \x1b]0;x\x07", "en")
        await settled(pilot)
        drawn = "".join(strip.text for strip in strips_of(app.screen))
        assert "@click" in drawn
        assert not {"\x1b", "\x07"} & set(drawn)
        await pilot.click(DiffView, offset=(8, 0))
        assert app.is_running
