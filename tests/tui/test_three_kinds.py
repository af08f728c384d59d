"""Three kinds of help in one list: fixes, what only the writer decides, advice."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Counsel
from studio.tui.views.review.counsel_text import counsel_detail, list_review
from studio.tui.widgets.directives_pane import DirectiveRows, DirectivesPane
from tests.tui.lines import directive, words_of

CHOICE = Counsel(
    kind="decide",
    issue="그녀는 열쇠의 주인을 아는가?",
    options=("안다, 그리고 숨긴다.", "여기서 처음 안다."),
    scene=2,
    quote="부러진 열쇠",
)
ADVICE = Counsel(kind="advice", issue="两场都收在钟声里。", origin="code")


def sheet(count: int, suppressed: int = 0) -> DirectiveSheet:
    return DirectiveSheet(
        chapter=1,
        source_sha256="0" * 64,
        directives=tuple(directive(n, n) for n in range(1, count + 1)),
        suppressed=suppressed,
    )


def test_fixes_alone_need_no_headings() -> None:
    assert [row.entry for row in list_review(sheet(3), ())] == [0, 1, 2]
    assert list_review(None, ()) == []


def test_each_kind_has_its_heading_and_what_was_left_out_stands_with_the_fixes() -> None:
    rows = list_review(sheet(2, suppressed=1), (CHOICE, ADVICE))
    assert [row.entry for row in rows] == [None, 0, 1, None, None, 2, None, 3]
    lines = words_of([row.words for row in rows]).split("\n")
    assert lines[0] == "The surgeon can fix"
    assert lines[3] == "+ 1 more finding is not shown"
    assert lines[4:6] == ["Only you decide", f"◇ {CHOICE.issue}"]
    assert lines[6:] == ["Advice on the chapter", f"· {ADVICE.issue}"]


def test_a_choice_tells_its_ways_and_advice_that_there_is_nothing_to_accept() -> None:
    page = words_of(counsel_detail(CHOICE))
    for words in ("scene 2 · by the judge", "부러진 열쇠", "· 안다, 그리고 숨긴다.", "Ctrl+E"):
        assert words in page
    assert "by the measures" in words_of(counsel_detail(ADVICE))
    assert "nothing to accept" in words_of(counsel_detail(ADVICE))


class Pane(App[None]):
    CSS = "DirectivesPane { height: 1fr; }"

    def compose(self) -> ComposeResult:
        yield DirectivesPane()


@pytest.mark.sampled
@pytest.mark.parametrize("rows", [10, 14, 20])
async def test_the_entry_under_the_cursor_is_always_in_sight(rows: int) -> None:
    app = Pane()
    async with app.run_test(size=(40, rows)) as pilot:
        pane = app.query_one(DirectivesPane)
        pane.show(sheet(5, suppressed=2), {}, counsel=(CHOICE, CHOICE, ADVICE))
        await pilot.pause()
        seen = app.query_one(DirectiveRows)
        for index in range(len(pane.entries)):
            assert pane.index == index
            view = seen.rows[seen.top : seen.top + seen.size.height]
            assert index in [row.entry for row in view]
            pane.move(1)
            await pilot.pause()


async def test_a_click_goes_to_what_is_shown_there() -> None:
    app = Pane()
    async with app.run_test(size=(40, 14)) as pilot:
        pane = app.query_one(DirectivesPane)
        pane.show(sheet(5), {}, counsel=(CHOICE, ADVICE))
        pane.move(6)
        await pilot.pause()
        seen = app.query_one(DirectiveRows)
        assert seen.top > 0
        y = next(i for i, row in enumerate(seen.rows[seen.top :]) if row.entry == 4)
        await pilot.click(seen, offset=(2, y))
        assert pane.directive_under_cursor == sheet(5).directives[4]


async def test_the_cursor_stays_on_its_entry_when_the_list_is_read_again() -> None:
    app = Pane()
    async with app.run_test(size=(40, 30)) as pilot:
        pane = app.query_one(DirectivesPane)
        pane.show(sheet(2), {}, counsel=(CHOICE, ADVICE))
        pane.move(3)
        pane.show(sheet(1), {}, counsel=(ADVICE,))
        await pilot.pause()
        assert pane.counsel == ADVICE
        assert pane.directive_under_cursor is None
