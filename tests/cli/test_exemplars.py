"""`studio exemplars`: the style library from the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studio import i18n
from tests.cli.command import tree
from tests.cli.conftest import Typed, own_chapter

PASSAGE = "The stove ticked as it cooled. She counted the steps down to the cellar twice."


@pytest.fixture
def library(novel: Path, tmp_path: Path, typed: Typed) -> Path:
    """A novel with two passages of its own."""
    for folder in (novel / "style-library").glob("*.md"):
        folder.unlink()
    file = tmp_path / "passage.md"
    file.write_text(PASSAGE, "utf-8")
    quiet = ("--scene-type", "description", "--emotional-tone", "uneasy")
    assert typed("exemplars", "add", "cellar-steps", file, *quiet).code == 0
    loud = ("--scene-type", "dialogue", "--note", "said too plainly", "--anti")
    assert typed("exemplars", "add", "anti-loud", file, *loud).code == 0
    return novel


def test_passages_are_listed_with_their_dimensions(library: Path, typed: Typed) -> None:
    ended = typed("exemplars")
    assert "cellar-steps" in ended.out
    assert "uneasy" in ended.out
    exemplars = {e["id"]: e for e in typed("exemplars", "list", "--json").json["exemplars"]}
    assert exemplars["anti-loud"]["meta"]["kind"] == "anti"
    assert exemplars["cellar-steps"]["text"] == PASSAGE


def test_a_query_says_which_would_be_chosen_and_why(library: Path, typed: Typed) -> None:  # req: A2
    rows = typed("exemplars", "query", "--scene-type", "description", "--json").json["exemplars"]
    assert rows[0] == {
        "id": "cellar-steps",
        "kind": "good",
        "score": 4,
        "matched": ["scene_type"],
    }
    assert "nothing" in typed("exemplars", "query", "--pov", "second").out
    assert typed("exemplars", "query").code == 2


def test_paragraphs_of_the_book_become_a_passage(
    library: Path, tmp_path: Path, typed: Typed
) -> None:
    assert typed("write", "--draft", own_chapter(tmp_path), "--review", "reject").code == 0
    ended = typed("exemplars", "add", "ledger", "--passage", "1:1:2-3", "--scene-type", "dialogue")
    assert "style-library/ledger.md" in ended.out
    added = {e["id"]: e for e in typed("exemplars", "--json").json["exemplars"]}["ledger"]
    assert added["text"].startswith("“You might have written,”")
    assert added["meta"]["source"] == "chapter 1, scene 1"
    assert typed("verify").code == 0


def test_what_does_not_fit_is_refused_and_changes_nothing(
    library: Path, tmp_path: Path, typed: Typed
) -> None:
    file = tmp_path / "passage.md"
    before = tree(library)
    for arguments in (
        ("cellar-steps", file),
        ("../outside", file),
        ("no-text",),
        ("both", file, "--passage", "1:1:1"),
        ("nowhere", "--passage", "9:1:1"),
        ("unread", "--passage", "one"),
    ):
        assert typed("exemplars", "add", *arguments).code == 2, arguments
    file.write_text("Short.", "utf-8")
    assert typed("exemplars", "add", "short", file).code == 2
    assert tree(library) == before


def test_a_removed_passage_can_come_back(library: Path, typed: Typed) -> None:
    assert typed("exemplars", "remove", "cellar-steps").code == 0
    assert "cellar-steps" not in typed("exemplars").out
    assert typed("exemplars", "remove", "cellar-steps").code == 2
    assert typed("history", "restore", "style-library/cellar-steps.md").code == 0
    assert "cellar-steps" in typed("exemplars").out


# req: K2
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("language", "words"),
    [("ko", ("대화", "느림", "다정함", "전지적 시점")), ("zh", ("对话", "慢", "温柔", "全知视角"))],
)
def test_what_a_passage_shows_is_said_in_the_writers_language(
    library: Path, typed: Typed, language: str, words: tuple[str, ...]
) -> None:
    values = ("dialogue", "slow", "tender", "omniscient")
    names = ("--scene-type", "--pacing", "--emotional-tone", "--pov")
    options = [part for pair in zip(names, values, strict=True) for part in pair]
    file = library / "../tags.md"
    file.write_text("비가 온다. " * 12, "utf-8")
    assert typed("exemplars", "add", "tags", file, *options).code == 0
    i18n.use(language)
    row = next(line for line in typed("exemplars", "list").out.splitlines() if "tags" in line)
    assert all(word in row for word in words)
    assert not any(value in row for value in values)
    i18n.use("en")
    answer = typed("exemplars", "query", "--scene-type", words[0]).out
    assert re.search(r"^\s*4\s+tags", answer, re.MULTILINE), "her own word means the same kind"
