"""SERIAL 7.4: the author's note of a chapter, and its readers' comments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.agent_pages import load_agent
from studio.project.author.readers import comments_for_planners
from studio.project.store import ProjectStore
from tests.cli.conftest import Typed
from tests.project.plans import planned_book

WORDS = {"ko": "다음 화가 기다려집니다.", "zh": "催更！下一章呢？", "en": "I cannot wait."}


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Chapters 1 and 2 in the book, 3 to 6 planned; the current folder."""
    folder = tmp_path / "book"
    planned_book(folder)
    monkeypatch.chdir(folder)
    return folder


# req: K7
@pytest.mark.sampled
@pytest.mark.parametrize("language", ["ko", "zh", "en"])
def test_readers_comments_are_kept_and_planners_see_them_only_if_she_says_so(
    book: Path, typed: Typed, language: str
) -> None:
    words = WORDS[language]
    run = typed("notes", "readers", 2, "--text", words, "--source", "문피아", "--on", "2026-11-21")
    assert run.code == 0
    assert "No model sees" in run.out
    data = json.loads((book / "notes/readers/c002.json").read_text("utf-8"))
    assert data == {
        "schema_version": 1,
        "planners": False,
        "comments": [{"source": "문피아", "at": "2026-11-21", "text": words}],
    }
    assert comments_for_planners(ProjectStore(book)) == ""
    assert typed("notes", "readers", 2, "--planners").code == 0
    assert words in comments_for_planners(ProjectStore(book))
    assert typed("notes", "show", 2, "--json").json["planners"] is True
    assert typed("notes", "readers", 2, "--no-planners").code == 0
    assert comments_for_planners(ProjectStore(book)) == ""


@pytest.mark.parametrize(
    "agent", ["scene-drafter", "prewriter", "prose-surgeon", "style-refiner", "summarizer"]
)
def test_no_agent_that_writes_has_the_block_of_readers(agent: str, tmp_path: Path) -> None:
    assert "readers" in load_agent("plot-architect", tmp_path).blocks
    assert "readers" not in load_agent(agent, tmp_path).blocks


def test_the_authors_note_goes_with_the_chapter_and_out_with_it(book: Path, typed: Typed) -> None:
    assert typed("notes", "author", 2, "--text", "Back on Friday.").code == 0
    assert (book / "notes/author/c002.md").read_text("utf-8") == "Back on Friday.\n"
    assert typed("notes", "show", 2).out.startswith("Back on Friday.")
    text = typed("export", "--form", "platform", "--chapters", 2).out
    assert "Author's note\n\nBack on Friday." in text
    assert "Friday" not in typed("export", "--chapters", 2, "-o", "-").out
    assert typed("notes", "author", 2, "--text", "").code == 0
    assert not (book / "notes/author/c002.md").exists()


def test_what_cannot_be_kept_is_refused(book: Path, typed: Typed) -> None:
    assert typed("notes", "author", 40, "--text", "x").code == 2
    assert typed("notes", "readers", 2).code == 2
    assert typed("notes", "readers", 2, "--text", " ").code == 2
    assert typed("notes", "readers", 2, "--text", "x" * 20_001).code == 2
