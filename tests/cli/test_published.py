"""SERIAL 7.2: a chapter is published when she says so, and a change says where it has to go."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from studio.book.figures import BookFigures
from studio.project.author.book_length import BookLength, keep_length
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.tui.board import head_lines
from tests.cli.command import studio
from tests.cli.conftest import Typed
from tests.project.plans import planned_book

TEXTS = {
    "ko": (
        "# 낡은 열쇠\n\n문이 열렸다.\n\n“누구야?”\n\n대답이 없었다.\n",
        "대답이 없었다.",
        "비가 왔다.",
    ),
    "zh": ("# 旧钥匙\n\n门开了。\n\n“谁？”\n\n没有人回答。\n", "没有人回答。", "下雨了。"),
    "en": (
        "# The Old Key\n\nThe door opened.\n\n“Who?”\n\nNobody spoke.\n",
        "Nobody spoke.",
        "It rained.",
    ),
}


@pytest.fixture
def serial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> Path:
    """A serial with one episode; the current folder."""
    folder = tmp_path / "serial"
    create_novel(folder, "Serial", language, form="serial")
    (folder / "chapters/chapter-001.md").write_text(TEXTS[language][0], "utf-8")
    monkeypatch.chdir(folder)
    return folder


# req: K7
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("ko", "올린 글입니다. 바꾼 것을 그곳에도 올려야 합니다"),
        ("zh", "已经发布：这处改动也要更新到那里"),
        ("en", "is published: this change has to be put there too"),
    ],
)
def test_a_change_to_a_published_chapter_says_that_it_has_to_go_there_too(
    serial: Path, typed: Typed, language: str, sentence: str
) -> None:
    def status() -> str:
        words = studio("status", environ={"LC_ALL": f"{language}.UTF-8"}, cwd=serial)
        return words.out + words.err

    marks = typed("published", "add", 1, "--platform", "munpia", "--on", "2026-11-20")
    assert marks.code == 0
    data = json.loads((serial / "published.json").read_text("utf-8"))
    (mark,) = data["marks"]
    assert (data["schema_version"], mark["chapter"], mark["platform"]) == (1, "c001", "문피아")
    assert (mark["at"], mark["label"]) == ("2026-11-20", None)
    text, old, new = TEXTS[language]
    assert sentence not in status()
    chapter = serial / "chapters/chapter-001.md"
    chapter.write_text(text + "\n<!-- ? -->\n", "utf-8")
    assert sentence not in status()  # a note to people is no change of the text
    chapter.write_text(text.replace(old, new), "utf-8")
    assert sentence in status()
    comma = "，" if language == "zh" else ", "
    listed = studio("published", environ={"LC_ALL": f"{language}.UTF-8"}, cwd=serial).out
    assert f"문피아{comma}2026-11-20" in listed
    (row,) = typed("published", "list", 1, "--json").json["published"]
    assert row["stands"] == "changed"
    assert row["changes"] == [{"passage": "1.3", "before": [old], "after": [new]}]
    chapter.write_text(text.replace("\n\n", "\n\n\n", 1).replace(old, new), "utf-8")
    lines = typed("published").out
    assert f"- {old}" in lines
    assert f"+ {new}" in lines
    assert typed("published", "add", 1, "--platform", "문피아").code == 0
    assert len(json.loads((serial / "published.json").read_text("utf-8"))["marks"]) == 1
    assert sentence not in status()
    (serial / "chapters/chapter-002.md").write_text(text, "utf-8")
    both = typed("published", "add", "1-2", "--platform", "문피아", "--json").json["marks"]
    assert [mark["chapter"] for mark in both] == ["c001", "c002"]
    assert typed("published", "add", "1-3").code == 2
    for number in (1, 2):
        assert typed("published", "remove", number, "--platform", "문피아").code == 0
    assert typed("published", "list", "--json").json["published"] == []
    assert typed("published", "remove", 1, "--platform", "문피아").code == 2


# req: K7
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("ko", "올린 글입니다. 바꾼 것을 그곳에도 올려야 합니다"),
        ("zh", "已经发布：这处改动也要更新到那里"),
        ("en", "is published: this change has to be put there too"),
    ],
)
def test_words_replaced_in_a_published_chapter_say_so_and_taken_back_no_more(
    serial: Path, typed: Typed, language: str, sentence: str
) -> None:
    environ = {"LC_ALL": f"{language}.UTF-8"}
    _, old, new = TEXTS[language]
    assert typed("published", "add", 1, "--platform", "문피아").code == 0
    replaced = studio("replace", old, new, environ=environ, cwd=serial)
    assert " ".join(sentence.split()) in " ".join((replaced.out + replaced.err).split())
    undone = studio("replace", "--undo", environ=environ, cwd=serial)
    assert undone.code == 0
    assert sentence not in undone.out + undone.err, "it is as it was published"


@pytest.mark.parametrize("language", ["ko"])
def test_a_mark_stays_with_its_chapter_and_names_any_platform(
    serial: Path, typed: Typed, language: str
) -> None:
    assert typed("published", "add", 2).code == 2
    assert typed("published", "add", 1, "--platform", "x" * 61).code == 2
    assert typed("published", "add", 1, "--platform", "우리 블로그").code == 0
    assert typed("published", "add", 1).code == 0
    rows = typed("published", "list", "--json").json["published"]
    assert [row["platform"] for row in rows] == ["문피아", "우리 블로그"]


def test_the_mark_goes_by_the_id_when_plans_move(
    tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "book"
    planned_book(folder)
    monkeypatch.chdir(folder)
    typed("plan", "label", 2, "1")
    assert typed("published", "add", "chapter-002", "--platform", "Royal Road").code == 0
    (row,) = typed("published", "list", "--json").json["published"]
    assert (row["chapter"], row["id"], row["label"], row["stands"]) == (2, "c002", "1", "same")
    assert (
        "Royal Road"
        in typed("export", "--form", "platform", "--json", "--to", "-").json["platform"]
    )


def test_up_to_a_chapter_whose_label_has_a_dash_is_up_to_it(
    tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "book"
    planned_book(folder)
    monkeypatch.chdir(folder)
    typed("plan", "label", 2, "2-3")
    assert typed("published", "add", "~2-3", "--platform", "문피아").code == 0
    rows = typed("published", "list", "--json").json["published"]
    assert [row["chapter"] for row in rows] == [1, 2]


# req: K7
@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("ko", "오늘 +15 / 목표 5,000; 비축분 "),
        ("zh", "今天 +15 / 目标 5,000；存稿 "),
        ("en", "today +15 of 5,000; buffer 2 episodes"),
    ],
)
def test_status_says_the_buffer_and_the_goal_of_the_day(
    serial: Path, typed: Typed, language: str, line: str
) -> None:
    settings = serial / "studio.toml"
    settings.write_text(settings.read_text("utf-8") + "\n[goals]\nsitting = 5000\n", "utf-8")
    for number in (2, 3):
        (serial / f"chapters/chapter-00{number}.md").write_text(TEXTS[language][0], "utf-8")
    assert typed("status", "--json").json["book"]["buffer"] == 3
    typed("published", "add", 1)
    keep_length(ProjectStore(serial), date.today(), 2, 0, 15)
    book = typed("status", "--json").json["book"]
    assert (book["buffer"], book["day_goal"], book["today"]) == (2, 5000, 15)
    assert line in studio("status", environ={"LC_ALL": f"{language}.UTF-8"}, cwd=serial).out
    typed("published", "add", 3)
    assert typed("status", "--json").json["book"]["buffer"] == 0


def test_the_board_says_the_buffer_too() -> None:
    figures = BookFigures((), (), {}, 4)
    book = BookLength(unit="characters with spaces", today=120, day_goal=5000, buffer=2)
    ((words,),) = head_lines(figures, book, 120)
    assert "today +120 of 5,000 · buffer 2 " in words.text
    nothing = BookLength(unit="words")
    ((words,),) = head_lines(figures, nothing, 120)
    assert "buffer" not in words.text
