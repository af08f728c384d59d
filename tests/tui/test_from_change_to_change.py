"""The Diff tab leads from change to change, says when it is out of date, and shows no half words of
what streams in."""

from __future__ import annotations

import asyncio

import pytest
from textual.app import App, ComposeResult

from studio.text.safe import safe_text
from studio.tui.views.prose.diff_rows import steps
from studio.tui.widgets.diff_view import DiffView
from tests.fake_messages import Rule
from tests.pipeline.flows import Model, directive, judged
from tests.tui.conftest import OpenDesk
from tests.tui.painted import strips_of
from tests.tui.pilot import opened

SENTENCES = {
    "en": ("Mara carried the lamp up to the gallery.", "Mara left the lamp on the stairs."),
    "ko": ("마라는 등불을 들고 회랑으로 올라갔다.", "마라는 등불을 계단에 두고 갔다."),
    "zh": ("玛拉提着灯上了回廊。", "玛拉把灯留在了楼梯上。"),
}
CHANGED = (1, 19, 38)


def versions(language: str) -> tuple[str, str]:
    """A long scene, and the same with three sentences written otherwise."""
    old, new = SENTENCES[language]
    before = [f"{old} {number}." for number in range(40)]
    after = [f"{new} {n}." if n in CHANGED else words for n, words in enumerate(before)]
    return "\n\n".join(before), "\n\n".join(after)


class Page(App[None]):
    """A diff and nothing else."""

    CSS = "DiffView { height: 1fr; }"

    def compose(self) -> ComposeResult:
        yield DiffView()


def in_sight(app: App[object]) -> str:
    rows = strips_of(app.screen)
    return "".join("".join(strip.text.split()) for strip in rows)


@pytest.mark.sweep
@pytest.mark.repairs("W19")
async def test_a_key_leads_from_change_to_change_of_a_whole_chapter(desk: OpenDesk) -> None:
    before, after = versions("en")
    there = desk(Model(draft=Rule(text=before)))
    await asyncio.to_thread(there.write, review="ask")
    text = there.staged().read_text("utf-8")
    there.staged().write_text(text.replace(before, after, 1), "utf-8")
    async with opened(there.folder, there.environ, (100, 24)) as studio:
        await studio.turn_to("diff")
        view = studio.desk.query_one(DiffView)
        await studio.until(lambda: not view.busy and view.max_scroll_y > 50, "the diff")
        places = []
        for _ in range(4):
            await studio.press("right_curly_bracket")
            await studio.pilot.pause()
            places.append(view.scroll_offset.y)
        first, second, third, again = places
        assert first < second < third, "each press shows the next change"
        assert again == first, "after the last comes the first"
        await studio.press("left_curly_bracket")
        await studio.pilot.pause()
        assert view.scroll_offset.y == third
        assert "Next change" in studio.screen


@pytest.mark.parametrize("language", SENTENCES)
async def test_each_change_comes_into_sight_and_is_marked_in_the_margin(language: str) -> None:
    app = Page()
    async with app.run_test(size=(50, 8)) as pilot:
        view = app.query_one(DiffView)
        view.show(*versions(language), language)
        while view.busy:
            await pilot.pause(0.01)
        for number in (*CHANGED, CHANGED[0]):
            view.go_to_change(1)
            await pilot.pause()
            assert f"{number}." in in_sight(app)
            assert any(
                segment.style is not None and segment.style.reverse and segment.text.strip()
                for y in range(view.pane.height)
                for segment in view.render_line(y)
            )
        view.scroll_to(y=0, animate=False, force=True)
        await pilot.pause()
        view.go_to_change(-1)
        await pilot.pause()
        view.show("같은 글", "같은 글", "ko")
        assert not view.has_changes


@pytest.mark.repairs("W19")
@pytest.mark.parametrize("language", ["en", "ko"])
def test_half_a_word_of_a_stream_is_no_change(language: str) -> None:
    before, after = SENTENCES[language]
    words = set(after.replace(".", " .").split())
    for length in range(len(after)):
        diff = steps(before, after[:length], language, finished=False)
        came = "".join(s.text for s in diff if s.kind in ("same", "added"))
        assert after.startswith(came)
        ends = came.split()[-1:]
        assert not ends or {ends[0].rstrip("."), ends[0]} & words, f"a half word: {came!r}"


def test_a_stream_in_chinese_is_shown_to_its_last_letter() -> None:
    before, after = SENTENCES["zh"]
    for length in range(1, len(after)):
        diff = steps(before, after[:length], "zh", finished=False)
        came = "".join(s.text for s in diff if s.kind in ("same", "added"))
        assert came == safe_text(after[:length])


@pytest.mark.sweep
async def test_the_diff_of_a_fix_that_was_taken_back_says_that_it_is(desk: OpenDesk) -> None:
    there = desk(Model(judge=judged(directives=[directive(1, 1)])))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        one = studio.directives.changes[0].id
        await studio.accept(one)
        await studio.write_next()
        await studio.on_directive(one)
        view = studio.desk.query_one(DiffView)
        await studio.until(lambda: not view.busy and "keep the fix?" in studio.screen, "the diff")
        await studio.undo(one)
        await studio.on_directive(one)
        studio.desk.go_to_tab("diff")
        await studio.pilot.pause()
        assert "keep the fix?" not in studio.screen
        rows = "".join(s.text for y in range(4) for s in view.row_strip(y, view.pane.width))
        assert "It is taken back" in " ".join(rows.split())
