"""The board: the whole book drawn, and a way from every row to its chapter."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from studio import i18n
from studio.book.figures import BookFigures, ChapterFigures
from studio.book.promises import PromiseEvent, PromiseSoFar
from studio.config.schema import BookForm
from studio.i18n import _
from studio.project.author.book_length import BookLength
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.session import Session
from studio.story.novel import Promise
from studio.text.oracle.instances import FORMS_OF_A_SERIAL
from studio.tui.board import BoardScreen, board_rows
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model
from tests.project.novels import commit_now
from tests.text.tics import chapter
from tests.tui.pilot import opened

CHAPTERS = tuple(
    ChapterFigures(
        chapter=number,
        title=title,
        length=length,
        planned=2400,
        score=score,
        line="main" if number != 2 else "shaft",
        people=people,
        cost_usd=0.06 if length else 0.0,
        troubles=troubles,
    )
    for number, title, length, score, people, troubles in (
        (1, "Slack Water", 2296, 4.2, {"mara": 9, "joss": 2}, ()),
        (2, "등불 방의 사람들", 1116, 2.6, {"joss": 4}, ("low",)),
        (10, "夜班", 0, None, {"mara": 1}, ()),
    )
)
PROMISES = (
    PromiseSoFar(Promise(id="drowned_bell", due=2), (PromiseEvent("planted", 1),)),
    PromiseSoFar(Promise(id="lamp_41"), (PromiseEvent("planted", 1), PromiseEvent("resolved", 2))),
)
FIGURES = BookFigures(CHAPTERS, PROMISES, {"mara": "Mara", "joss": "요스", "main": "Main"}, 3)
BOOK = BookLength(unit="words", length=3412, goal=19000, due="2027-03-14", per_day=310, today=418)


def text(width: int = 116, ascii_only: bool = False) -> list[str]:
    rows = board_rows(FIGURES, BOOK, width=width, ascii_only=ascii_only)
    return ["".join(piece.text for piece in row.words).rstrip() for row in rows]


def test_the_head_says_how_far_the_book_is_and_what_a_day_asks_for() -> None:  # req: H5
    assert text()[0] == (
        "2 of 3 chapters · 3,412 of 19,000 words · today +418 · due 14.3.2027: 310 a day"
        " · 1 chapter to look at"
    )


def test_a_chapter_has_words_plan_score_cost_and_why_it_wants_a_look() -> None:
    first = next(row for row in text() if "Slack Water" in row)
    second = next(row for row in text() if "등불" in row)
    assert "2,296" in first
    assert "█" in first
    assert "4.2" in first
    assert "6 cents" in first
    assert "!" in second
    assert "scored low" in second
    assert first.index("1 ") == 1
    planned = next(row for row in text() if "夜班" in row)
    assert planned.startswith("10 ")
    assert "█" not in planned
    assert "─" in planned


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize("width", [76, 116])
def test_a_heading_stands_over_its_column_in_every_language(language: str, width: int) -> None:
    i18n.use(language)
    rows = text(width)
    head, first = (next(row for row in rows if words in row) for words in (_("cost"), "2,296"))

    def cells_before(row: str, words: str) -> int:
        return cell_len(row[: row.index(words)])

    unit = _("words")
    assert cells_before(head, f"{unit} ") + cell_len(unit) == cells_before(first, "2,296") + 5
    assert cells_before(head, _("against the plan")) == cells_before(first, "█")
    assert cells_before(head, _("score")) + 1 == cells_before(first, "4.2")
    amount = "6" if language == "en" else "$"
    assert cells_before(head, _("cost")) == cell_len(first[: first.rindex(amount)])


def test_promises_people_and_lines_go_through_the_book() -> None:
    rows = text()
    assert any("drowned bell" in row and "was due in 2 !" in row for row in rows)
    assert any("lamp 41" in row and "paid in 2" in row for row in rows)
    assert any("Mara" in row and "last in 10" in row for row in rows)
    assert any("Main" in row and "█·█" in row for row in rows)


@pytest.mark.parametrize("width", [56, 76, 116, 196])
def test_rows_fit_and_can_be_drawn_in_ascii(width: int) -> None:
    assert all(cell_len(row) <= width for row in text(width))
    rows = text(width, ascii_only=True)
    latin = [row for row in rows[rows.index("") :] if "등불" not in row]
    latin = [row for row in latin if "夜班" not in row and "요스" not in row]
    assert all(row.replace("…", "").isascii() for row in latin)


def test_each_row_says_where_it_leads() -> None:
    rows = board_rows(FIGURES, BOOK, width=116)
    goals = {row.chapter for row in rows if row.chapter is not None}
    assert goals == {1, 2, 10}
    assert [row.chapter for row in rows if row.is_trouble] == [2, 1]


@pytest.mark.sweep
async def test_enter_goes_to_the_chapter_and_n_to_the_next_problem(desk: OpenDesk) -> None:
    there = desk(Model())
    await asyncio.to_thread(there.write, review="accept")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("f4")
        await studio.sees(BoardScreen, "against the plan")
        board = studio.app.screen
        assert isinstance(board, BoardScreen)
        await studio.until(lambda: board.rows, "the rows")
        assert "The Lamp Room" in studio.screen
        await studio.press("n", "enter")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.until(lambda: studio.desk.state.pane == "text", "the text")
        assert studio.desk.state.chapter == 1


# req: K7
@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("en", ("today +120 of 5,000", "buffer 12 chapters", "due 14.3.2027: 310 a day")),
        ("ko", ("오늘 +120 / 목표 5,000", "비축분 12장", "2027. 3. 14.")),
        ("zh", ("今天 +120 / 目标 5,000", "存稿 12 章", "2027年3月14日")),
    ],
)
def test_goal_and_buffer_of_a_serial_stand_whole_on_a_narrow_board(
    language: str, parts: tuple[str, ...]
) -> None:
    i18n.use(language)
    book = BookLength(
        unit="characters with spaces",
        length=1_012_000,
        goal=1_250_000,
        today=120,
        day_goal=5000,
        buffer=12,
        due="2027-03-14",
        per_day=310,
    )
    rows = board_rows(FIGURES, book, width=74)
    lines = ["".join(piece.text for piece in row.words) for row in rows[:3]]
    assert all(cell_len(row) <= 74 for row in lines)
    for part in parts:
        assert any(part in row for row in lines), lines


# req: K7
def test_the_board_marks_what_is_published_and_what_has_to_be_put_there_again() -> None:
    one, two, three = (
        replace(chapter, is_changed_there=is_changed)
        for chapter, is_changed in zip(CHAPTERS, (True, False, None), strict=True)
    )
    figures = replace(FIGURES, chapters=(one, two, three))
    rows = board_rows(figures, BOOK, width=76)
    lines = ["".join(piece.text for piece in row.words) for row in rows]
    first, second, planned = (
        next(row for row in lines if title in row) for title in ("Slack", "등불", "夜班")
    )
    assert "⇅ Slack Water" in first
    assert "! ⇡ 등불 방의 사람들" in second
    assert cell_len(planned[: planned.index("夜班")]) == cell_len(first[: first.index("Slack")])
    assert "⇡" not in "".join(text(76)), "no column in a book of which nothing is published"


# req: K3
@pytest.mark.parametrize("form", ["literary", "serial"])
def test_the_board_of_a_serial_names_no_short_paragraphs(tmp_path: Path, form: BookForm) -> None:
    create_novel(tmp_path / "novel", "灯", "zh", form=form)
    beats = [f"{who}{what}。" for who in "灯门风雨船狗" for what in ("停了", "来了", "响了")]
    episode = "\n\n".join(["# 灯", chapter("zh"), *beats * 2, ""])
    store = ProjectStore(tmp_path / "novel")
    for number in (1, 2, 3):
        commit_now(store, number, episode)
    board = BoardScreen(Session.open(tmp_path / "novel", {}), None)
    figures, _ = board._read()
    named = {tic.words for tic in figures.tics} & FORMS_OF_A_SERIAL
    assert bool(named) == (form == "literary")
