"""`studio waivers`: what is meant stays, with a reason, a reach and an end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import tree
from tests.cli.conftest import Typed, own_chapter

FILTER = "dir_filter_word_removal_001"
SHORT = "filter-word-removal-001"
"""The id as a command takes it."""


@pytest.fixture
def in_review(novel: Path, tmp_path: Path, typed: Typed) -> Path:
    """A novel whose first chapter waits in review with a directive about filter words."""
    assert typed("write", "--draft", own_chapter(tmp_path)).code == 4
    assert SHORT in typed("directives", "list").out
    return novel


def status(typed: Typed) -> dict[str, str]:
    rows: list[dict[str, Any]] = typed("directives", "list", "--json").json["directives"]
    return {row["id"]: row["status"] for row in rows}


def found_by_check(typed: Typed, *target: object) -> list[str]:
    return [d["type"] for d in typed("check", *target, "--json").json["directives"]]


@pytest.mark.sweep
def test_a_waived_finding_leaves_the_review_and_does_not_come_back(
    in_review: Path, typed: Typed
) -> None:
    ended = typed("waivers", "add", FILTER, "--reason", "She is in shock; the distance is meant.")
    assert "waiver_001: “Filter words” is meant, in this passage of chapter 1" in ended.out
    assert status(typed)[FILTER] == "waived"
    assert "filter-word-removal" not in found_by_check(typed, 1)
    assert typed("resume", "--review", "reject").code == 0
    assert typed("write", 1, "--again", "--review", "reject").code == 0
    assert "filter-word-removal" not in found_by_check(typed, 1)
    assert "filter_word_density" in typed("check", 1, "--json").json["metrics"]


def test_what_was_waived_is_printed_as_the_list_prints_it(in_review: Path, typed: Typed) -> None:
    ended = typed("waivers", "add", FILTER, "--reason", "meant", "--json")
    assert ended.json["waivers"][0]["id"] == "waiver_001"
    fact = ("--fact", "dead_present:joss", "--reason", "A ghost.")
    assert typed("waivers", "add", *fact, "--json").json["facts"][0]["reason"] == fact[-1]
    both = typed("waivers", "list", "--json").json
    assert both["waivers"] == ended.json["waivers"]
    assert [f["fact_key"] for f in both["facts"]] == ["dead_present:joss"]


def test_an_edit_of_the_passage_ends_a_waiver_given_for_it(in_review: Path, typed: Typed) -> None:
    typed("waivers", "add", FILTER, "--reason", "meant")
    assert typed("waivers", "--json").json["waivers"][0]["lapsed"] == ""
    staged = in_review / "staging/chapters/chapter-001.md"
    staged.write_text(staged.read_text("utf-8").replace("thumbprint", "palm print"), "utf-8")
    assert "its words have changed" in typed("waivers").out
    assert "filter-word-removal" in found_by_check(typed, 1)


def test_a_waiver_for_the_book_holds_in_any_text_and_one_for_the_chapter_does_not(
    in_review: Path, tmp_path: Path, typed: Typed
) -> None:
    own = tmp_path / "own.md"
    typed("waivers", "add", FILTER, "--reason", "meant", "--scope", "chapter")
    assert "filter-word-removal" not in found_by_check(typed, 1)
    assert "filter-word-removal" in found_by_check(typed, own)
    typed("waivers", "add", FILTER, "--reason", "her voice", "--scope", "book")
    assert "filter-word-removal" not in found_by_check(typed, own)


def test_an_expired_waiver_covers_nothing(in_review: Path, typed: Typed) -> None:
    past = ("--until", "2020-01-31")
    typed("waivers", "add", FILTER, "--reason", "for now", "--scope", "book", *past)
    assert "filter-word-removal" in found_by_check(typed, 1)
    assert "(expired)" in typed("waivers").out


def test_a_waiver_until_a_chapter_holds_through_it(in_review: Path, typed: Typed) -> None:
    typed("waivers", "add", FILTER, "--reason", "act one", "--scope", "book", "--until", "1")
    assert "filter-word-removal" not in found_by_check(typed, 1)
    typed("resume", "--review", "reject")
    assert "(expired)" in typed("waivers").out


def test_removing_a_waiver_brings_its_findings_back(in_review: Path, typed: Typed) -> None:
    typed("waivers", "add", FILTER, "--reason", "meant")
    assert typed("waivers", "remove", "waiver_001").code == 0
    assert "filter-word-removal" in found_by_check(typed, 1)
    assert typed("waivers", "remove", "waiver_001").code == 2


def test_a_waiver_without_reason_or_target_is_refused_and_changes_nothing(
    in_review: Path, typed: Typed
) -> None:
    before = tree(in_review)
    assert typed("waivers", "add", FILTER).code == 2
    assert typed("waivers", "add", FILTER, "--reason", " ").code == 2
    assert typed("waivers", "add", "dir_cut_009", "--reason", "meant").code == 2
    assert typed("waivers", "add", FILTER, "--reason", "meant", "--until", "soon").code == 2
    assert tree(in_review) == before
    assert "Nothing is waived" in typed("waivers").out


def test_removing_a_waiver_puts_the_directives_it_held_back_to_the_writer(
    in_review: Path, typed: Typed
) -> None:
    typed("waivers", "add", FILTER, "--reason", "meant", "--scope", "book")
    typed("waivers", "add", FILTER, "--reason", "meant twice")
    typed("waivers", "remove", "waiver_001")
    assert status(typed)[FILTER] == "waived"
    typed("waivers", "remove", "waiver_002")
    assert status(typed)[FILTER] == "pending"
    rows = typed("directives", "list", "--json").json["directives"]
    assert [row["note"] for row in rows if row["id"] == FILTER] == [""]


def test_a_waiver_of_one_thing_names_its_words_and_one_of_a_kind_says_everything(
    in_review: Path, typed: Typed
) -> None:
    rows = typed("directives", "list", "--json").json["directives"]
    quoted = next(row["evidence"][0] for row in rows if row["id"] == FILTER)
    before = tree(in_review)
    book = ("--reason", "meant", "--scope", "book")
    refused = typed("waivers", "add", FILTER, *book, "--words", "the moon")
    assert refused.code == 2
    assert "says nothing of “the moon”" in refused.err
    assert tree(in_review) == before
    ended = typed("waivers", "add", FILTER, *book, "--words", quoted)
    assert f"“{quoted}” (Filter words) is meant, in the whole book" in ended.out
    assert status(typed)[FILTER] == "waived"
    assert typed("waivers", "list", "--json").json["waivers"][0]["words"] == quoted
    typed("waivers", "remove", "waiver_001")
    ended = typed("waivers", "add", FILTER, *book)
    assert "all of the kind “Filter words” is meant, in the whole book" in ended.out
