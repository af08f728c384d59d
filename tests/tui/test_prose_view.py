"""The prose view in an app: streaming, following, marks, selection, resizing, foreign text."""

from __future__ import annotations

from time import monotonic

import pytest
from textual.app import App
from textual.pilot import Pilot

from studio.tui.views.prose.marks import ParagraphRange, QuotedSpan
from studio.tui.widgets.prose_view import ProseView
from tests.tui.painted import strips_of
from tests.tui.prose_host import Desk, settled

KO = """# 등대지기

그녀는 등불을 들고 계단을 올랐다. “누구 있어요?” 아무도 대답하지 않았다. 바람만 문틈으로 들어왔다.

계단은 백서른두 개였다. 세어 본 적은 없지만 발이 기억했다.

* * *

아침이 되자 바다는 잔잔했다. 조스는 그물을 고치고 있었다.
"""
LONG = "그는 그물을 고치며 고개를 들지 않았다. 갈매기가 울었다.\n\n" * 200


def screen(app: App[None]) -> list[str]:
    return [strip.text.rstrip() for strip in strips_of(app.screen)]


async def shown(pilot: Pilot[None], text: str) -> ProseView:
    view = pilot.app.query_one(ProseView)
    view.load(text)
    await settled(pilot)
    return view


async def test_it_shows_title_numbers_and_breaks_and_is_no_taller_than_the_screen() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = await shown(pilot, KO + LONG)
        assert view.size.height <= app.screen.size.height - 1
        rows = screen(app)
        assert rows[1] == "      등대지기"
        assert rows[3].startswith("  1.1 그녀는 등불을 들고")
        assert any(row.strip() == "* * *" for row in rows)
        assert any(row.startswith("  2.1 아침이") for row in rows)
        assert view.follow is False


async def test_no_row_is_wider_than_its_pane() -> None:
    app = Desk()
    async with app.run_test(size=(31, 16)) as pilot:
        view = await shown(pilot, KO)
        text = "".join(row[5:] for row in screen(app)[3:8])
        assert "".join(KO.splitlines()[2].split()) in "".join(text.split())
        assert view.show_vertical_scrollbar


async def test_a_stream_is_followed_until_the_writer_scrolls_up() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = app.query_one(ProseView)
        view.clear()
        for start in range(0, 2000, 7):
            view.stream.append(LONG[start : start + 7])
        await settled(pilot)
        assert view.scroll_offset.y == view.max_scroll_y > 0
        view.focus()
        await pilot.press("up")
        assert view.follow is False
        before = [view.render_line(y).text for y in range(15)]
        view.stream.append("\n\n새 문단이 온다.\n\n그리고 또 온다.")
        await settled(pilot)
        assert [view.render_line(y).text for y in range(15)] == before
        assert not view.follow
        await pilot.press("G")
        await settled(pilot)
        assert view.follow
        assert any("그리고 또 온다." in row for row in screen(app))


async def test_deltas_within_a_frame_are_drawn_together() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = app.query_one(ProseView)
        view.clear()
        fed: list[str] = []
        feed = view.page.feed
        view.page.feed = lambda text: fed.append(text) or feed(text)  # type: ignore[func-returns-value, method-assign]
        for character in "등불이 흔들렸다.":
            view.stream.append(character)
        await settled(pilot)
        assert len(fed) == 2
        assert "".join(fed) == "등불이 흔들렸다."


async def test_a_held_back_stream_comes_a_frame_later() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = app.query_one(ProseView)
        view.clear()
        view.stream.hold_back()
        view.stream.append("기다린다.")
        assert not view.page.blocks
        await settled(pilot)
        assert view.page.blocks[0].text == "기다린다."


async def test_keys_that_never_pause_hold_a_text_back_for_two_frames_at_most() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = app.query_one(ProseView)
        view.clear()
        view.stream.hold_back()
        view.stream.append("기다린다.")
        came = monotonic()
        while not view.page.blocks and monotonic() < came + 30:
            view.stream.hold_back()
            await pilot.pause()
        assert view.page.blocks[0].text == "기다린다."


async def test_a_drawing_that_never_came_does_not_keep_the_next_from_coming(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)):
        view = app.query_one(ProseView)
        view.clear()
        monkeypatch.setattr(view, "set_timer", lambda wait, work: view.set_interval(3600))
        view.stream.hold_back()
        view.stream.append("등불이 ")
        assert view.busy
        monkeypatch.setattr("studio.tui.widgets.prose_view.monotonic", lambda: monotonic() + 1)
        view.stream.append("흔들렸다.")
        assert view.page.blocks[0].text == "등불이 흔들렸다."
        assert not view.busy


async def test_the_passage_of_a_directive_shows_without_colour_too() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = await shown(pilot, KO)
        view.highlight(ParagraphRange(1, 1, 2))
        view.mark([QuotedSpan(1, 1, 0, 3)])
        await pilot.pause()
        rows = screen(app)
        assert [row[4] for row in rows[3:9]] == ["▌"] * 6
        assert rows[1][:5].strip() == ""
        strip = view.render_line(2)
        underlined = [s.text for s in strip if s.style is not None and s.style.underline]
        assert underlined == ["그녀는"]
        view.ascii_only = True
        await pilot.pause()
        assert screen(app)[3][4] == "|"


async def test_going_to_a_paragraph_brings_it_into_sight() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = await shown(pilot, LONG)
        assert view.go_to(1, 150)
        await settled(pilot)
        assert any(row.startswith("1.150 ") for row in screen(app))
        assert not view.go_to(2, 1)


async def test_what_is_in_sight_stays_when_the_width_changes() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = await shown(pilot, LONG)
        view.go_to(1, 100)
        await settled(pilot)
        top = view.page.row(view.scroll_offset.y)
        await pilot.resize_terminal(70, 12)
        await settled(pilot)
        again = view.page.row(view.scroll_offset.y)
        assert top is not None
        assert again is not None
        assert again.block in (top.block, top.block + 1)


async def test_who_follows_still_sees_the_end_after_a_resize() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = await shown(pilot, LONG)
        view.follow = True
        await pilot.resize_terminal(26, 30)
        await settled(pilot)
        assert view.scroll_offset.y == view.max_scroll_y
        assert any(row.startswith("1.200") for row in screen(app))


@pytest.mark.sampled
@pytest.mark.parametrize("size", [(1, 1), (6, 3), (20, 5), (500, 200)])
async def test_any_size_is_survived(size: tuple[int, int]) -> None:  # req: T3
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = await shown(pilot, KO)
        await pilot.resize_terminal(*size)
        await settled(pilot)
        view.stream.append("더 온다.")
        await pilot.resize_terminal(44, 16)
        await settled(pilot)
        assert view.page.blocks[-1].text.endswith("더 온다.")


async def test_dragging_selects_and_a_click_points() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = await shown(pilot, KO)
        await pilot.mouse_down(ProseView, offset=(5, 2))
        await pilot.hover(ProseView, offset=(11, 2))
        await pilot.mouse_up(ProseView, offset=(11, 2))
        assert view.selector.text == "그녀는"
        await pilot.click(ProseView, offset=(9, 7))
        assert view.selector.text == ""
        assert ("clicked", (1, 2)) in app.heard


async def test_shift_and_arrows_select_and_escape_lets_go() -> None:
    app = Desk()
    async with app.run_test(size=(44, 16)) as pilot:
        view = await shown(pilot, KO)
        view.focus()
        await pilot.press("shift+right", "shift+right")
        assert view.selector.text == "등대"
        await pilot.press("shift+down")
        assert view.selector.text == "등대지기\n\n그녀"
        await pilot.press("escape")
        assert view.selector.text == ""


async def test_foreign_text_is_shown_literally() -> None:  # req: S7, S8
    app = Desk()
    text = "\x1b]52;c;aGk=\x07[@click=app.quit]나가기[/b] \x9b31m\u202e끝[/]"
    async with app.run_test(size=(60, 16)) as pilot:
        await shown(pilot, text)
        drawn = "".join(s.text for strip in strips_of(app.screen) for s in strip)
        assert "[@click=app.quit]나가기[/b]" in drawn
        assert "␛]52;c;aGk=␇" in drawn
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(drawn)
        assert not any(
            segment.style is not None and segment.style.meta.get("@click")
            for strip in strips_of(app.screen)
            for segment in strip
        )
        await pilot.click(ProseView, offset=(12, 0))
        assert app.is_running


@pytest.mark.sweep
async def test_two_million_characters_are_shown_and_grow() -> None:
    app = Desk()
    text = "계단은 백서른두 개였다. 발이 기억했다. " * 8 + "\n\n"
    async with app.run_test(size=(80, 24)) as pilot:
        view = app.query_one(ProseView)
        view.load(text * (2_000_000 // len(text)))
        await pilot.pause()
        assert screen(app)[1].startswith("    1.1 계단은")
        view.follow = True
        view.stream.append("끝이다.")
        await settled(pilot)
        assert any("끝이다." in row for row in screen(app))
        assert view.size.height <= 23


# req: H2
async def test_prose_stands_in_the_middle_at_its_measure() -> None:
    app = Desk()
    async with app.run_test(size=(100, 20)) as pilot:
        view = app.query_one(ProseView)
        view.measure = 40
        await shown(pilot, KO)
        words = [row for row in screen(app)[1:] if "등불을" in row or "대답하지" in row]
        assert words
        assert {row[: view.window.margin].strip() for row in words} <= {"1.1", ""}
        assert view.window.margin == 5 + (view.pane.width - 5 - 40) // 2
        assert not [block for block in view.page.blocks for row in block.lines if len(row) > 40]
        broken = next(row for row in screen(app) if "* * *" in row)
        middle = view.window.margin + 20
        assert abs(broken.index("* * *") + 2 - middle) <= 1
        view.measure = 0
        await settled(pilot)
        assert view.window.margin == 5
