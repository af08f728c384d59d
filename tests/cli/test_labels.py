"""CONTRACTS 1: a chapter goes by the author's own number or name wherever it is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio import i18n
from studio.chapter_names import label_chapters
from studio.messages import from_data, said, to_data
from studio.project.store import ProjectStore
from tests.cli.command import tree
from tests.cli.conftest import Typed
from tests.project.plans import planned_book


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Chapters 1 and 2 in the book, 3 to 6 planned; the current folder."""
    folder = tmp_path / "book"
    planned_book(folder)
    monkeypatch.chdir(folder)
    return folder


def listed(book: Path) -> dict[str, tuple[int, str | None]]:
    """The number and the label of each chapter by its id."""
    rows = json.loads((book / "state/chapters.json").read_text("utf-8"))["chapters"]
    return {row["id"]: (row["number"], row["label"]) for row in rows}


def test_a_label_is_shown_in_the_place_of_the_number(book: Path, typed: Typed) -> None:
    assert typed("plan", "label", 1, "프롤로그").code == 0
    assert typed("plan", "label", 2, "1").code == 0
    assert typed("plan", "label", 3, "제2화").code == 0
    lines = typed("status").out
    assert "  프롤로그  " in lines
    assert "Next: chapter 제2화" in lines
    status = typed("status", "--json").json
    assert [row["label"] for row in status["chapters"]] == ["프롤로그", "1"]
    assert status["next_label"] == "제2화"
    assert typed("plan", "list").out.startswith("제2화 The Bell")
    assert [r["label"] for r in typed("plan", "list", "--json").json["chapters"]][:2] == [
        "제2화",
        None,
    ]


@pytest.mark.sampled
@pytest.mark.parametrize("words", ["프롤로그", "chapter-002", "chapter-002.md", "c002", "楔子"])
def test_a_chapter_is_taken_by_its_label_its_file_and_its_id(
    book: Path, typed: Typed, words: str
) -> None:
    typed("plan", "label", 2, "楔子" if words == "楔子" else "프롤로그")
    assert typed("history", words, "--json").json["path"] == "chapters/chapter-002.md"
    assert typed("check", words, "--json").code == 0
    assert typed("export", "--chapters", words, "-o", "-").code == 0
    assert typed("log", words).code == typed("proposals", words).code == 0


def test_a_number_that_is_a_file_and_a_label_of_another_is_refused_with_both(
    book: Path, typed: Typed
) -> None:
    typed("plan", "label", 2, "1")
    for command in (
        ("status", "1"),
        ("history", "1"),
        ("plan", "rename", "1", "Rain"),
        ("keep", "list", "1"),
        ("lines", "mute", "world", "x", "--chapter", "1"),
        ("promises", "settle", "bell", "--chapter", "1"),
        ("export", "--chapters", "1", "-o", "-"),
        ("write", "1"),
    ):
        ended = typed(*command)
        assert ended.code == 2, command
        assert "chapter-001, chapter-002 (“1”)" in ended.err, command
    assert typed("history", "2", "--json").json["path"] == "chapters/chapter-002.md"
    assert typed("history", "chapter-001", "--json").json["path"] == "chapters/chapter-001.md"


def test_a_label_goes_with_its_chapter_and_no_move_changes_it(book: Path, typed: Typed) -> None:
    typed("plan", "label", 3, "막간")
    typed("plan", "label", 5, "4")
    ended = typed("plan", "move", "막간", "chapter-005")
    assert ended.code == 0
    assert "“막간” is chapter-005 now." in ended.out
    assert listed(book)["c003"] == (5, "막간")
    assert listed(book)["c005"] == (4, "4")
    assert typed("plan", "undo").code == 0
    assert listed(book)["c003"] == (3, "막간")
    typed("plan", "label", "막간")
    assert listed(book)["c003"] == (3, None)
    typed("plan", "undo")
    assert listed(book)["c003"] == (3, "막간")


def test_a_chapter_without_a_title_is_named_by_its_label(book: Path, typed: Typed) -> None:
    typed("plan", "add")
    typed("plan", "label", 7, "외전")
    store = ProjectStore(book)
    assert typed("plan", "move", "외전", 3).code == 0
    assert store.contract(3) is None
    typed("plan", "label", 4, "2")
    contract = store.contract(4)
    assert contract is not None
    assert contract.title == "The Bell"


@pytest.mark.parametrize("words", ["x" * 41, "프롤로그 " * 9])
def test_what_is_no_label_is_refused_and_nothing_changes(
    book: Path, typed: Typed, words: str
) -> None:
    before = tree(book)
    assert typed("plan", "label", 3, words).code == 2
    assert typed("plan", "label", 30, "x").code == 2
    assert tree(book) == before


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "프롤로그 was added."),
        ("ko", "프롤로그를 더했습니다."),
        ("zh", "已添加프롤로그。"),
    ],
)
def test_messages_in_every_language_say_the_label(language: str, sentence: str) -> None:
    label_chapters({3: "프롤로그", 4: "2"})
    message = said("Chapter {number} was added.", number=3)
    label_chapters({})  # a kept message says whom it meant
    i18n.use(language)
    assert i18n.translate(message) == sentence
    assert i18n.translate(from_data(to_data(message))) == sentence


def test_a_number_beside_a_label_stays_a_number() -> None:
    label_chapters({4: "2"})
    assert said("Chapter {chapter} and chapter {n}.", chapter=4, n=5) == "Chapter 2 and chapter 5."
    assert i18n._("Chapters {first} to {last}", first=3, last=4) == "Chapters 3 to 2"
    assert said("Chapter {number} was added.", number="4") == "Chapter 4 was added."


def test_what_is_to_be_typed_names_the_file() -> None:
    label_chapters({4: "2"})
    hint = said("Chapter {number} waits; `studio write {number}` goes on.", number=4)
    assert hint == "Chapter 2 waits; `studio write chapter-004` goes on."
    assert i18n._("chapter {chapter:<4}|", chapter=4) == "chapter 2   |"
