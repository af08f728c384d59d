"""The editor cuts a line into rows as the reading view does, and the cursor finds its place."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.document._document import Location
from textual.document._edit import Edit
from textual.geometry import Offset

from studio.tui.views.prose.wrapping import wrap
from studio.tui.widgets.text_field import OwnDocument, ProseRows, TextField

ZH = (
    "乔斯说：「我从没见过那本日志。」她没有回答，只把油灯举高了一些；灯光里，缆绳上的霜一粒一粒亮起来。"
    "「你见过。」她说，「昨天夜里，你还在那一页上写过字……」海风从门缝里进来——灯灭了。"
)
KO = (
    "마라는 빌린 열쇠를 돌려주러 등불의 방에 올라갔다가 찢긴 일지를 발견했다. “조스, 이 쪽은 누가 "
    "찢었어요?” 대답 대신 계단을 내려가는 발소리만 백서른두 번 들렸다."
)
EN = "Rain drummed on the tin. She counted the strokes of the pump in the yard up to nineteen—which"
lines = st.text(st.sampled_from("ab -가나。「」中文，“” \u3000\t—"), max_size=60)
texts = st.lists(lines, min_size=1, max_size=5).map("\n".join)


class Page(App[None]):
    """A field with a text in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """Its frame and its edge are not there, so that a cell is a cell of the text."""
        field = TextField(self.text, soft_wrap=True, show_line_numbers=False, compact=True)
        field.styles.padding = 0
        yield field


@pytest.mark.parametrize("text", [ZH, KO, EN])
@pytest.mark.parametrize("width", [12, 20, 33, 70])
def test_a_row_ends_where_the_reading_view_ends_it(text: str, width: int) -> None:  # req: H2
    rows = ProseRows(OwnDocument(text), width).get_sections(0)
    assert [row for row in rows if row] == wrap(text, width)
    assert [row for row in rows[1:] if row[:1] in set("。，」；…—")] == []
    assert [row for row in rows[:-1] if row[-1:] in set("「“")] == []


@given(texts, st.integers(2, 20))
def test_rows_fit_lose_nothing_and_leave_room_for_the_cursor(text: str, width: int) -> None:
    document = OwnDocument(text)
    rows = ProseRows(document, width)
    for number, line in enumerate(document.lines):
        sections = rows.get_sections(number)
        assert "".join(sections) == line
        if "\t" not in line:
            assert [row for row in sections if cell_len(row) > width + 1] == []
            assert cell_len(sections[-1]) <= width
    assert len(rows.lines) == document.line_count
    assert rows.height == sum(map(len, rows.lines))


@given(texts, texts, st.data(), st.integers(2, 20))
def test_an_edit_cuts_the_rows_that_the_whole_text_would_have(
    text: str, more: str, data: st.DataObject, width: int
) -> None:
    document = OwnDocument(text)
    rows = ProseRows(document, width)
    places = [(row, at) for row, line in enumerate(document.lines) for at in range(len(line) + 1)]
    start, end = (data.draw(st.sampled_from(places)) for _ in range(2))
    top, bottom = sorted((start, end))
    result = document.replace_range(start, end, more)
    rows.wrap_range(top, bottom, result.end_location)
    afresh = ProseRows(document, width)
    ways = ("_wrap_offsets", "_tab_width_cache", "_line_index_to_offsets", "_offset_to_line_info")
    assert [way for way in ways if getattr(rows, way) != getattr(afresh, way)] == []


@given(texts, st.integers(2, 20))
def test_every_place_is_found_again_from_the_cell_it_is_drawn_in(text: str, width: int) -> None:
    rows = ProseRows(OwnDocument(text.replace("\t", " ")), width)
    for number, line in enumerate(rows.document.lines):
        for column in range(len(line) + 1):
            cell = rows.location_to_offset((number, column))
            assert rows.offset_to_location(Offset(*cell)) == (number, column)


@pytest.mark.sampled
@pytest.mark.parametrize("text", [ZH, KO], ids=["zh", "ko"])
async def test_a_click_and_the_arrows_reach_the_letter_they_point_at(text: str) -> None:  # req: H2
    app = Page(text)
    async with app.run_test(size=(24, 20)) as pilot:
        field = app.query_one(TextField)
        rows = field.wrapped_document.get_sections(0)
        assert len(rows) > 4
        for y, row in enumerate(rows[:6]):
            at = len(row) // 2
            await pilot.click(field, offset=(cell_len(row[:at]), y))
            assert field.cursor_location == (0, sum(map(len, rows[:y])) + at)
        await pilot.press("home")
        assert field.cursor_location == (0, sum(map(len, rows[:5])))
        await pilot.press("up", "end")
        assert field.cursor_location == (0, sum(map(len, rows[:5])) - 1)
        drawn = [field.render_line(y).text.rstrip() for y in range(len(rows))]
        assert drawn == [row.rstrip() for row in rows]


@pytest.mark.sampled
@pytest.mark.parametrize("word", ["등", "灯", "ab"])
async def test_a_cursor_behind_a_full_row_stays_in_sight(word: str) -> None:
    app = Page("")
    async with app.run_test(size=(13, 6)) as pilot:
        field = app.query_one(TextField)
        field.focus()
        seen: list[Location] = []
        for letter in [*word * 6, " ", " ", " ", word[0]]:
            field.edit(Edit(letter, *field.selection, maintain_selection_offset=False))
            await pilot.pause()
            seen.append(field.cursor_location)
            cell = field.wrapped_document.location_to_offset(field.cursor_location)
            assert cell.x < field.size.width
        assert all(before < after for before, after in pairwise(seen))
