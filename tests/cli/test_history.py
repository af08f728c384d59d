"""`studio history`: what a writer sees of her earlier versions, and how one comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.cli import output
from tests.cli.command import tree
from tests.cli.conftest import Typed, own_chapter

FILE = "chapters/chapter-001.md"


@pytest.fixture
def edited(novel: Path, tmp_path: Path, typed: Typed) -> Path:
    """A novel with one chapter in the book, edited by hand since."""
    own = own_chapter(tmp_path)
    assert typed("write", "--draft", own, "--review", "reject").code == 0
    file = novel / FILE
    file.write_text(file.read_text("utf-8").replace("thumbprint", "thumb\x1b[2Jprint"), "utf-8")
    return novel


def test_the_versions_of_a_chapter_are_listed(edited: Path, typed: Typed) -> None:  # req: C12
    ended = typed("history", "list", 1)
    assert "committed" in ended.out
    assert "words" in ended.out
    rows = typed("history", "1", "--json").json["versions"]
    assert {row["path"] for row in rows} == {FILE, f"staging/{FILE}"}
    assert all(row["length"] > 40 for row in rows)


def test_every_file_with_versions_is_listed(edited: Path, typed: Typed) -> None:
    assert FILE in typed("history").out
    assert FILE in [file["path"] for file in typed("history", "list", "--json").json["files"]]


def test_a_version_is_shown_whole_and_harmless(
    edited: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "thumbprint" in typed("history", "show", 1).out
    typed("history", "restore", FILE)
    assert "thumb\x1b[2Jprint" in typed("history", "show", FILE).out
    monkeypatch.setattr(output, "is_terminal", lambda _: True)
    ended = typed("history", "show", FILE)
    assert "\x1b" not in ended.out
    assert "thumb␛[2Jprint" in ended.out
    assert "\x1b" in typed("history", "show", FILE, "--json").json["text"]


def test_a_difference_shows_only_the_lines_that_changed(edited: Path, typed: Typed) -> None:
    ended = typed("history", "diff", 1)
    assert "[thumbprint → thumb␛[2Jprint]" in ended.out
    assert "You might have written" not in ended.out
    changes = typed("history", "diff", 1, "--json").json["changes"]
    assert {"kind": "removed", "text": "thumbprint"} in changes


def test_a_version_comes_back_and_the_chapter_is_the_committed_one(
    edited: Path, typed: Typed
) -> None:
    ended = typed("history", "restore", 1)
    assert (ended.code, ended.out) == (
        0,
        f"{FILE} is the earlier version again; what stood there is kept.\n",
    )
    assert "All is well" in typed("verify").out
    assert "studio rebuild 1" in typed("history", "restore", 1).out
    assert "thumb\x1b" in (edited / FILE).read_text("utf-8")


def test_looking_at_history_changes_nothing(edited: Path, typed: Typed) -> None:
    before = tree(edited)
    for words in (["list"], ["list", "1"], ["show", "1"], ["diff", "1"]):
        assert typed("history", *words).code == 0
    assert tree(edited) == before


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["world/none.md", "none"])
def test_a_file_without_versions_is_said(edited: Path, typed: Typed, name: str) -> None:
    ended = typed("history", "restore", name)
    assert ended.code == 2
    assert f"no version of {name}" in ended.err
