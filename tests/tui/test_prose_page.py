"""A text in pieces is the text in one piece; rows, spots and marks of a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.story.chapter import Chapter
from studio.text.safe import safe_text
from studio.tui.views.prose.layout import Page, PageRow, Spot, StreamedBlocks
from studio.tui.views.prose.marks import ParagraphRange, QuotedSpan, Selection, stretches

CHAPTER = """# 램프실

그녀는 등불을 들고 계단을 올랐다. “누구 있어요?”

아무도 대답하지 않았다.

* * *

바다는 잔잔했다.
"""
PIECES = ["# ", "Title", "\n", "\n\n", "\r\n", "\r", "* * *", "*", "---", "-", "⁂", "#", " ", "\t"]
WORDS = ["등불", "a", "word ", "。", "\x1b[31m", "👩", "\u200d", "👧", "\u202e", "\u3000"]
pieces = st.lists(st.sampled_from(PIECES + WORDS), max_size=40)


def blocks_of(manuscript: StreamedBlocks) -> list[tuple[str, int, int, str]]:
    return [(b.kind, b.scene, b.number, b.text) for b in manuscript.blocks]


@given(pieces)
def test_pieces_make_the_blocks_of_the_whole(parts: list[str]) -> None:
    streamed, whole = StreamedBlocks(), StreamedBlocks()
    streamed.width = 9
    for part in [*parts, "\n"]:
        streamed.feed(part)
    whole.feed("".join(parts) + "\n")
    assert blocks_of(streamed) == blocks_of(whole)
    for block in streamed.blocks:
        before = list(block.lines)
        block.width = 0
        block.fit(9)
        assert block.lines == before


@given(pieces)
def test_paragraphs_are_those_of_the_chapter(parts: list[str]) -> None:
    text = "".join(parts)
    manuscript = StreamedBlocks()
    manuscript.feed(text + "\n\n")
    page = [(b.scene, b.number, b.text) for b in manuscript.blocks if b.kind == "paragraph"]
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    book = [
        (p.scene, p.number, safe_text(p.text).replace("\t", " ")) for p in Chapter(plain).paragraphs
    ]
    assert [p[:2] for p in page] == [p[:2] for p in book]
    assert [p[2].replace("\ufffd", "") for p in page] == [p[2].replace("\ufffd", "") for p in book]


def page_of(text: str, width: int = 20) -> Page:
    page = Page()
    page.load(text)
    page.resize(width)
    while page.wrap_slice():
        pass
    return page


def test_a_page_has_a_blank_row_below_each_block() -> None:
    page = page_of(CHAPTER)
    assert [block.label for block in page.blocks] == ["", "1.1", "1.2", "", "2.1"]
    rows = [page.row(y) for y in range(page.height)]
    assert rows[:4] == [PageRow(0, 0), PageRow(0, None), PageRow(1, 0), PageRow(1, 1)]
    assert rows[-1] == PageRow(4, 0)
    assert page.row(page.height) is None


def test_a_scene_break_that_streams_in_pieces_is_never_shown_as_prose() -> None:
    manuscript = StreamedBlocks()
    manuscript.feed("불이 꺼졌다.\n\n")
    for piece in ("*", " *", " ", "*"):
        manuscript.feed(piece)
        assert [block.kind for block in manuscript.blocks] == ["paragraph"]
    manuscript.feed("\n\n다음")
    assert [block.kind for block in manuscript.blocks] == ["paragraph", "break", "paragraph"]
    assert manuscript.blocks[-1].label == "2.1"


def test_what_a_stream_adds_touches_only_the_last_rows() -> None:
    page = Page(20)
    page.feed("첫 문단이다.\n\n둘째 문단은 조금 더 길어서 두 줄이 된다.")
    height = page.height
    first = page.feed(" 그리고 더 길어진다.")
    assert first == height - 1
    assert page.height == height + 1


@pytest.mark.sweep
def test_a_long_text_is_shown_before_it_is_wrapped() -> None:
    page = Page()
    page.load("등불이 흔들렸다. 아무도 오지 않았다.\n\n" * 40_000)
    page.resize(30)
    guess = page.height
    page.wrap_rows(0, 40)
    assert sum(block.width == 30 for block in page.blocks) < 50
    while page.wrap_slice():
        pass
    assert abs(page.height - guess) < page.height / 5
    assert all(block.width == 30 for block in page.blocks)


def test_rows_far_down_are_right_before_those_above_are_wrapped() -> None:
    page = Page()
    page.load("등불이 흔들렸다. 아무도 오지 않았다.\n\n" * 5_000 + "마지막 문단이다.")
    page.resize(8)
    page.wrap_rows(page.height - 10, 11)
    last = page.row(page.height - 1)
    assert last is not None
    assert last.block == 5_000
    assert page.blocks[last.block].lines == ["마지막 ", "문단이", "다."]
    assert page.blocks[2_500].width != 8


def test_cells_and_spots_are_each_others_inverse() -> None:
    page = page_of(CHAPTER)
    for block, content in enumerate(page.blocks):
        for offset in range(len(content.text) + 1):
            y, x = page.cell(Spot(block, offset))
            again = page.spot(y, x)
            assert again is not None
            assert page.cell(again) == (y, min(x, page.cell(again)[1]))


def test_a_paragraph_is_found_by_its_number() -> None:
    page = page_of(CHAPTER)
    assert page.find(1, 2) == 2
    assert page.find(2, 1) == 4
    assert page.find(2, 0) is None
    assert page.find(3, 1) is None


def test_a_selection_spans_paragraphs_backwards_too() -> None:
    page = page_of(CHAPTER)
    chosen = Selection(Spot(2, 3))
    chosen.head = Spot(1, 20)
    assert chosen.of(page) == "“누구 있어요?”\n\n아무도"
    assert chosen.within(2, 13) == (0, 3)
    assert chosen.within(3, 5) is None


def test_selecting_down_goes_over_blank_rows() -> None:
    page = page_of(CHAPTER)
    chosen = Selection(Spot(0, 0))
    for _ in range(4):
        chosen.step(page, 1, 0)
    assert chosen.head.block == 2
    chosen.step(page, 0, -1)
    assert chosen.head == Spot(1, len(page.blocks[1].text))


def test_marks_cut_a_line_and_the_later_covers() -> None:
    parts = stretches(10, "text", [(-3, 4, "evidence"), (2, 20, "selection")])
    assert parts == [(0, 2, "evidence"), (2, 10, "selection")]
    assert ParagraphRange(1, 2, 3).holds(1, 3)
    assert not ParagraphRange(1, 2, 3).holds(2, 3)
    assert QuotedSpan(1, 1, 0, 2).end == 2
