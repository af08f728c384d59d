"""The look through the book behind every tenth chapter: once, and what fails it waits for you."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ended
from tests.cli.conftest import Typed
from tests.fake_messages import FakeMessages
from tests.project.novels import put

QUIET = "Mara walked the sea wall on day {} and counted the boats that were still out.\n"


@pytest.fixture
def book(novel: Path, typed: Typed) -> Path:
    """Nine chapters from elsewhere; Joss is dead from the second on."""
    put(novel, "characters/active/joss.md", "---\ndead_from: 2\n---\n# Joss\n\nRows.")
    put(novel, "characters/active/mara.md", "# Mara\n\nCounts.")
    chapters = "".join(f"# Night {n}\n\n{QUIET.format(n)}\n" for n in range(1, 10))
    source = novel.parent / "nine.md"
    source.write_text(chapters, "utf-8")
    brought = typed("import", source, "--into", novel, "--yes", "--as", "committed")
    assert brought.code == 0, brought.err
    return novel


def own(book: Path, words: str) -> Path:
    file = book.parent / "own.md"
    file.write_text(f"# The Last Boat\n\n{words}\n", "utf-8")
    return file


def checkpoint(book: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((book / ".checkpoint.json").read_text("utf-8"))
    return value


def checks(ended: Ended) -> list[dict[str, Any]]:
    return [event["check"] for event in ended.events if event["type"] == "check"]


# req: E2 E3
def test_a_dead_man_at_the_table_stops_the_chapters_behind_in_every_mode(
    book: Path, typed: Typed
) -> None:
    file = own(book, "“Tea,” said Joss, and poured it.\n\nMara heard the bell.")
    ended = typed("write", "--draft", file, "--review", "accept", "--events")
    assert ended.code == 4
    (check,) = checks(ended)
    assert (check["chapters"], check["failed"]) == ([1, 10], True)
    question = checkpoint(book)["pending_decision"]
    assert (question["kind"], question["options"]) == ("continuity", ["go-on", "edit", "waive"])
    assert checkpoint(book)["checked"] == [10]
    assert "Joss" in typed("decide").out

    again = typed("write", "--draft", own(book, "Rain."), "--review", "accept", "--events")
    assert (again.code, checks(again)) == (4, []), "asked again, and not looked at a second time"
    assert typed("decide", "waive", "--note", "A ghost.").code == 0
    stored = json.loads((book / "waivers.json").read_text("utf-8"))
    assert [(f["fact_key"], f["reason"]) for f in stored["facts"]] == [
        ("dead_present:joss", "A ghost.")
    ]
    assert typed("write", "--review", "accept").code == 0, "the draft that waited is chapter 11"
    assert checkpoint(book)["last_completed_chapter"] == 11


# req: E2
@pytest.mark.sweep
def test_a_check_is_made_once_also_after_a_kill_and_a_mended_plan_answers_it(
    book: Path, typed: Typed
) -> None:
    file = own(book, "“Tea,” said Joss, and poured it.\n\nMara heard the bell.")
    assert typed("write", "--draft", file, "--review", "accept").code == 4
    killed = {k: v for k, v in checkpoint(book).items() if k != "checked"}
    put(book, ".checkpoint.json", {**killed, "pending_decision": None})
    ended = typed("write", "--draft", own(book, "Rain."), "--review", "accept", "--events")
    assert (ended.code, len(checks(ended))) == (4, 1), "made up for before the next chapter"
    assert typed("decide", "edit").code == 0
    put(book, "characters/active/joss.md", "# Joss\n\nRows.")
    ended = typed("write", "--review", "accept", "--events")
    assert (ended.code, checks(ended)) == (0, [])
    assert (checkpoint(book)["checked"], checkpoint(book)["pending_decision"]) == ([10], None)


# req: E2
def test_ten_chapters_that_agree_stop_nothing(book: Path, typed: Typed) -> None:
    ended = typed("write", "--draft", own(book, QUIET.format(10)), "--review", "accept", "--events")
    assert ended.code == 0
    assert [check["failed"] for check in checks(ended)] == [False]
    assert checkpoint(book)["checked"] == [10]


# req: E2
@pytest.mark.sweep
def test_behind_the_tenth_chapter_a_model_is_offered_with_its_price_and_not_asked(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    file = own(book, QUIET.format(10))
    ended = typed("write", "--draft", file, "--review", "reject", "--events")
    assert ended.code == 0, ended.err
    read = [asked for asked in server.asked if '"contradictions"' in json.dumps(asked.schema)]
    said = [event["message"] for event in ended.events if event["type"] == "warning"]
    (offer,) = [message for message in said if "`studio continuity 10 --model`" in message]
    assert "chapters 1 to 10 against each other: 2 calls to claude-" in offer
    assert "(at most " in offer
    assert read == []
