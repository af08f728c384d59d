"""`studio rebuild`: shown first, done after, told in words or JSON. No model takes part here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import tree
from tests.cli.conftest import Typed, own_chapter

FILE = "chapters/chapter-001.md"


@pytest.fixture
def edited(novel: Path, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A novel with one chapter in the book, whose ending was changed by hand since."""
    monkeypatch.setattr("studio.llm.choose.find_bundled_model", lambda: None)
    own = own_chapter(tmp_path)
    assert typed("write", "--draft", own, "--review", "reject").code == 0
    file = novel / FILE
    file.write_text(file.read_text("utf-8").replace("lost count", "fell"), "utf-8")
    return novel


def test_a_changed_chapter_is_rebuilt_and_verify_is_content(  # req: E10
    edited: Path, typed: Typed
) -> None:
    assert "studio rebuild 1" in typed("verify").out
    ended = typed("rebuild")
    assert ended.code == 0
    assert "The Salt Ledger  changed by hand" in ended.out
    assert "No model takes part" in ended.out
    assert "Rebuilt: chapter 1." in ended.out
    assert "No chapter comes after it." in ended.out
    assert "All is well" in typed("verify").out


def test_a_dry_run_changes_nothing(edited: Path, typed: Typed) -> None:  # req: E10
    before = tree(edited)
    ended = typed("rebuild", "--dry-run")
    assert ended.code == 0
    assert "Summarized again:" in ended.out
    assert "Rebuilt" not in ended.out
    assert tree(edited) == before


def test_json_is_one_document_in_both_cases(edited: Path, typed: Typed) -> None:
    planned = typed("rebuild", "--dry-run", "--json").json
    assert planned["chapters"] == [
        {
            "chapter": 1,
            "title": "The Salt Ledger",
            "why": "changed",
            "status": "planned",
            "most_usd": 0.0,
        }
    ]
    done = typed("rebuild", "--json").json
    assert set(done) == set(planned)
    assert [chapter["status"] for chapter in done["chapters"]] == ["rebuilt"]
    assert typed("rebuild", "--json").json["chapters"] == []


def test_nothing_changed_is_said(edited: Path, typed: Typed) -> None:
    typed("rebuild")
    assert typed("rebuild").out == (
        "No chapter was changed by hand; there is nothing to rebuild.\n"
    )


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["7"], 2, "never committed"),
        (["1", "--all"], 2, "not both"),
        (["0"], 2, "0"),
    ],
)
def test_what_cannot_be_rebuilt_is_refused(
    edited: Path, typed: Typed, words: list[str], code: int, said: str
) -> None:
    ended = typed("rebuild", *words)
    assert ended.code == code
    assert said in ended.err


def test_a_missing_chapter_is_named_with_the_way_back(edited: Path, typed: Typed) -> None:
    (edited / FILE).unlink()
    ended = typed("rebuild")
    assert "studio history restore 1" in ended.err
    assert typed("history", "restore", "1").code == 0
    assert (edited / FILE).exists()


@pytest.mark.sampled
@pytest.mark.parametrize(("answer", "rebuilt"), [("n", False), ("", False), ("y", True)])
def test_at_a_terminal_the_writer_is_asked_first(
    edited: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch, answer: str, rebuilt: bool
) -> None:
    monkeypatch.setattr("studio.cli.output.is_terminal", lambda stream: True)
    monkeypatch.setattr("studio.cli.keyboard.read_line", lambda: answer)
    ended = typed("rebuild")
    assert ("Rebuilt: chapter 1." in ended.out) is rebuilt
    assert ("Nothing was changed." in ended.out) is not rebuilt
