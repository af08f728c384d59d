"""The preview in words, and its corrections, without a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from studio import i18n
from studio.errors import StudioError
from studio.exchange.import_.commit import ImportResult
from studio.exchange.import_.detect import detect
from studio.exchange.import_.plan import PlannedFile
from studio.tui.views.pages import import_plan
from studio.tui.views.pages import import_plan as page
from studio.tui.views.pages.import_plan import Correcting
from studio.tui.views.words import Line

TEXTS = {
    "en": "Chapter 1: Slack Water\n\nMara lifted it.\n\n* * *\n\nRain.\n\nChapter 2\n\nThe end.\n",
    "ko": "제1장 썰물\n\n마라는 들었다.\n\n* * *\n\n비가 왔다.\n\n제2장 램프실\n\n끝이다.\n",
    "zh": "第一章 平潮\n\n玛拉搬起来。\n\n* * *\n\n下雨了。\n\n第二章 灯房\n\n完了。\n",
}


def words(line: Line) -> str:
    return "".join(said.text for said in line)


def state(language: str = "en") -> Correcting:
    return Correcting(detect(TEXTS[language], "book.txt"))


@pytest.mark.parametrize("language", TEXTS)
def test_a_row_tells_number_title_scenes_and_length(language: str) -> None:
    plan = state(language).plan
    rows = [words(row) for row in page.row_lines(plan)]
    assert len(rows) == len(plan.chapters) == 2
    assert plan.chapters[0].title in rows[0]
    assert "2 scenes" in rows[0]
    assert "1 scene " in rows[1]
    assert rows[0].lstrip().startswith("1")
    places = {cell_len(row[: row.index(" scene")]) for row in rows}
    assert len(places) == 1


def test_a_row_left_out_has_no_number_and_does_not_count() -> None:
    left = import_plan.drop_row(state())
    rows = [words(row) for row in page.row_lines(left.plan)]
    assert "left out" in rows[0]
    assert rows[1].lstrip().startswith("1")
    assert words(page.total_line(left.plan)).startswith("1 chapter · ")
    assert "1 left out" in words(page.total_line(left.plan))


def test_what_is_left_behind_stands_above_the_files_and_many_certain_ones_are_one_line() -> None:
    file = PlannedFile("1.md", "utf-8", "sure", "valid UTF-8", "blocks", "0" * 64, 9)
    files = tuple(replace(file, name=f"{n}.md") for n in range(9))
    doubtful = replace(file, name="old.txt", encoding="cp949", sureness="likely")
    plan = replace(state().plan, files=(*files, doubtful), notes=("Skipped: board.canvas.",))
    lines = [words(line) for line in page.file_lines(plan)]
    assert lines[0] == "Skipped: board.canvas."
    assert [line.partition(" ")[0] for line in lines[1:]] == ["old.txt", "9"]
    assert len(page.file_lines(replace(plan, files=files[:2], notes=()))) == 2


@pytest.mark.parametrize(("language", "name"), [("ko", "파일 정보"), ("zh", "文件信息")])
def test_what_describes_the_file_is_called_so_in_her_language(language: str, name: str) -> None:
    plan = detect(f"---\ntitle: Salt\n---\n\n{TEXTS['en']}", "book.md")
    i18n.use(language)
    assert name in words(page.row_lines(plan)[0])


def test_a_chapter_that_is_a_guess_says_so_beside_its_text() -> None:
    guess = replace(state().plan.chapters[0], sureness="guess", notes=())
    assert "a guess: look at the text" in [words(line) for line in page.chapter_lines(guess)]


def test_each_correction_is_taken_back_alone() -> None:
    first = state()
    renamed = import_plan.rename_row(first.at(2), "The Shaft")
    split = import_plan.split_row(renamed.at(1), 2, "Rain")
    assert [c.title for c in split.plan.chapters] == ["Slack Water", "Rain", "The Shaft"]
    assert split.row == 2
    back = import_plan.undone(split)
    assert back.plan == renamed.plan
    assert import_plan.undone(back).plan == first.plan
    assert not import_plan.undone(back).is_changed
    assert import_plan.undone(first) == first


def test_a_merge_moves_the_cursor_to_the_chapter_it_became_part_of() -> None:
    merged = import_plan.merge_row(state("ko").at(2))
    assert merged.row == 1
    assert len(merged.plan.chapters) == 1
    assert "끝이다" in "".join(words(row) for row in page.chapter_lines(merged.chapter))
    with pytest.raises(StudioError, match="nothing before"):
        import_plan.merge_row(merged)


def test_a_chapter_can_be_split_at_every_paragraph_but_its_first() -> None:
    choices = page.split_choices(state("zh").chapter)
    assert [key for key, _ in choices] == ["2"]
    assert "下雨了" in choices[0][1]


def test_a_long_chapter_is_only_glanced_at() -> None:
    chapter = detect("Chapter 1\n\n" + "Rain.\n\n" * 100, "x.txt").chapters[0]
    glance = page.chapter_lines(chapter, 10)
    assert len(glance) < 30
    assert words(glance[-1]) == "…"
    assert len(page.chapter_lines(chapter)) > 200


def test_what_was_done_is_said_with_what_comes_next() -> None:
    two = ((1, "A"), (2, "B"))
    assert "w takes the first" in page.done_words(ImportResult("drafts", two))
    assert "ctrl+r" in page.done_words(ImportResult("committed", two, 1))
    assert "1 chapter were" not in page.done_words(ImportResult("committed", two, 1))
    assert "Nothing was left" in page.done_words(ImportResult("drafts", (), 2))
