"""A promise whose planting is written down when the book is long past its chapter: from the next
chapter on it is so, for whoever asks, and no rebuild takes it away (BOOK 1 and 3)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Typed
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.project.novels import put

LAST = 14
WORDS = "the bell ring in night {0}"
CHAPTER = f"# Night {{0}}\n\nMara hears {WORDS}, and writes nothing.\n\nThe drawer stays shut."


@pytest.fixture
def book(novel: Path, typed: Typed) -> Path:
    """Chapters that nobody has read, and a promise of which none has done anything."""
    bell = {"id": "bell", "description": "Why the bell rings.", "storyline_id": "main", "due": 30}
    put(novel, "foreshadowing/global.json", {"promises": [bell]})
    source = novel.parent / "nights.md"
    source.write_text("\n\n".join(CHAPTER.format(n) for n in range(1, LAST + 1)), "utf-8")
    assert typed("import", source, "--into", novel, "--yes", "--as", "committed").code == 0
    return novel


@pytest.fixture
def readings(server: FakeMessages) -> dict[int, str]:
    """What a summarizer reads that a chapter does for the promise."""
    actions: dict[int, str] = {}

    def answered(asked: Asked) -> Rule | None:
        if asked.schema is None or "ops" not in asked.schema["properties"]:
            return None
        here = [n for n in actions if f"[1.1] Mara hears {WORDS.format(n)}," in asked.prompt]
        ops = [
            {"op": "foreshadow", "path": "bell", "value": actions[n], "quote": WORDS.format(n)}
            for n in here
        ]
        return Rule(value={"summary": "A night.", "ops": ops, "crossref": [], "memory": "Nights."})

    server.answering = answered
    return actions


def settle(typed: Typed, kind: str, chapter: int) -> None:
    quote = WORDS.format(chapter)
    ended = typed("promises", "settle", "bell", kind, "--chapter", chapter, "--quote", quote)
    assert ended.code == 0, ended.err


def events(typed: Typed) -> list[tuple[str, int]]:
    details = typed("promises", "show", "bell", "--json").json
    return [(event["event"], event["chapter"]) for event in details["events"]]


def promised(typed: Typed, chapter: int) -> str:
    """What a reader of a chapter is told of promises."""
    context = typed("context", chapter, "--agent", "quality-oracle", "--json").json
    return "".join(b["text"] for b in context["blocks"] if b["id"] == "foreshadowing")


def notes(typed: Typed) -> list[dict[str, Any]]:
    rows = typed("verify", "--json").json["findings"]
    return [row for row in rows if "bell" in json.dumps(row)]


# req: G1 G5
@pytest.mark.sweep
def test_it_is_so_from_the_chapter_behind_on(
    book: Path, typed: Typed, readings: dict[int, str]
) -> None:
    settle(typed, "planted", 3)
    assert events(typed) == [("planted", 3)]
    assert [promised(typed, n) for n in (2, 3)] == ["", ""]
    line = "- open: Why the bell rings. (not yet: leave it open)"
    assert [promised(typed, n) for n in (4, LAST)] == [line, line]
    (stored,) = json.loads((book / "foreshadowing/global.json").read_text("utf-8"))["promises"]
    assert (stored["status"], stored["planted"], stored["last"]) == ("planted", 3, 3)
    (asleep,) = typed("continuity", 13, "--json").json["findings"]
    assert asleep["fact_key"] == "dormant:bell", "nothing has touched it since chapter 3"
    assert typed("continuity", 12, "--json").json["findings"] == []
    assert notes(typed) == []


# req: G5
@pytest.mark.sweep
def test_a_payment_that_was_refused_counts_once_its_promise_is_made(
    book: Path, typed: Typed, readings: dict[int, str]
) -> None:
    readings[5] = "resolve"
    assert typed("rebuild", 5).code == 0
    assert events(typed) == []
    assert "payoff_before_plant:bell" in typed("continuity", "--all").out
    (note,) = notes(typed)
    assert "promises settle bell" in note["hint"]

    settle(typed, "planted", 2)
    assert events(typed) == [("planted", 2), ("resolved", 5)]
    assert promised(typed, 4)
    assert promised(typed, 6) == ""
    assert "payoff_before_plant" not in typed("continuity", "--all").out
    assert notes(typed) == []


# req: G5
@pytest.mark.sweep
def test_what_the_author_said_of_a_chapter_is_not_at_stake_in_its_rebuild(
    book: Path, typed: Typed, readings: dict[int, str]
) -> None:
    settle(typed, "planted", 2)
    settle(typed, "resolved", 5)
    ended = typed("rebuild", 2, "--json")
    assert ended.code == 0, ended.err
    assert "may no longer agree" not in typed("rebuild", 2, "--dry-run").out
    assert events(typed) == [("planted", 2), ("resolved", 5)]
    assert notes(typed) == []


# req: G5
@pytest.mark.sampled(2)
@pytest.mark.parametrize("whose", ["a model's", "the author's"])
def test_a_later_planting_gives_way_and_verify_says_how_to_name_it_anew(
    book: Path, typed: Typed, readings: dict[int, str], whose: str
) -> None:
    if whose == "the author's":
        settle(typed, "planted", 4)
    else:
        readings[4] = "plant"
        assert typed("rebuild", 4).code == 0
    settle(typed, "planted", 2)
    assert events(typed) == [("planted", 2)]
    (note,) = notes(typed)
    assert "Chapter 4 does not agree" in note["message"]
    assert "`studio promises settle bell`" in note["hint"]
    settle(typed, "advanced", 4)
    assert events(typed) == [("planted", 2), ("advanced", 4)]
    assert notes(typed) == []


# req: G5
@pytest.mark.sweep
def test_without_a_model_the_chapter_can_still_be_read_again(book: Path, typed: Typed) -> None:
    """What stands in its delta is the author's word and who appeared: nothing can be lost."""
    settle(typed, "planted", 3)
    chapter = book / "chapters/chapter-003.md"
    chapter.write_text(chapter.read_text("utf-8").replace("writes nothing", "weeps"), "utf-8")
    ended = typed("rebuild")
    assert ended.code == 0, ended.err
    assert events(typed) == [("planted", 3)]
    assert notes(typed) == []
