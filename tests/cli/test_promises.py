"""`studio promises`: the fold of events, the author's own word, and what is left undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.pipeline.volume.brief import brief_of, sentences_of
from studio.project.store import ProjectStore
from tests.cli.command import studio
from tests.cli.conftest import Typed
from tests.project.novels import put

CHAPTER = "# Night {0}\n\nMara hears the bell ring under water, and writes nothing.\n\nRain.\n"


@pytest.fixture
def book(novel: Path, tmp_path: Path, typed: Typed) -> Path:
    """Two chapters of the author's own, no model, and a promise that was due in the first."""
    put(
        novel,
        "foreshadowing/global.json",
        {
            "promises": [
                {"id": "bell", "description": "The bell rings under water.", "resolve_by": 1},
                {"id": "hat", "description": "The hat is too small.", "due": 9},
            ]
        },
    )
    contract = {
        "chapter": 2,
        "volume": 1,
        "title": "Night 2",
        "storyline_id": "main",
        "objectives": ["She counts"],
        "foreshadowing": [{"id": "bell", "action": "plant"}],
    }
    put(novel, "volumes/vol-01/chapter-contracts/chapter-002.json", contract)
    for number in (1, 2):
        own = tmp_path / f"own-{number}.md"
        own.write_text(CHAPTER.format(number), "utf-8")
        assert typed("write", "--draft", own, "--review", "reject").code == 0
    return novel


def row(typed: Typed, promise: str) -> dict[str, Any]:
    return dict(typed("promises", "show", promise, "--json").json)


def test_overdue_and_unchecked_are_said(book: Path, typed: Typed) -> None:  # req: G5
    rows = {p["id"]: p for p in typed("promises", "list", "--json").json["promises"]}
    assert (rows["bell"]["overdue"], rows["hat"]["overdue"]) == (True, False)
    assert (rows["bell"]["status"], rows["bell"]["due"]) == ("planned", 1)
    status = typed("status", "--json").json
    assert status["promises"]["overdue"] == ["bell"]
    assert status["promises"]["undone"] == [
        {"chapter": 2, "id": "bell", "action": "plant", "checked": False}
    ]
    assert "Overdue: The bell rings under water (due in chapter 1)." in status["warnings"]
    brief = brief_of(ProjectStore(book), 2)
    assert "Overdue since chapter 1: The bell rings under water." in sentences_of(brief)


# req: G5
@pytest.mark.repairs("S16")
def test_the_status_in_words_says_of_promises_what_its_json_says(book: Path, typed: Typed) -> None:
    status = typed("status", "--json").json
    sentences = [*status["promises"]["sentences"], *status["continuity"]["sentences"]]
    assert sentences[0] == "Overdue: The bell rings under water (due in chapter 1)."
    for words in (typed("status"), typed("status", "--quiet")):
        lines = words.out.splitlines()
        assert [line for line in lines if line in sentences] == sentences
        assert not [sentence for sentence in sentences if sentence in words.err], "said once"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("locale", "standing"),
    [("ko_KR.UTF-8", "계획됨, 1장부터 늦음"), ("zh_CN.UTF-8", "已计划，自第1章逾期")],
)
def test_where_a_promise_stands_is_said_in_the_language_of_the_writer(
    book: Path, locale: str, standing: str
) -> None:  # req: H6
    listing = studio("promises", "list", "--project", str(book), environ={"LC_ALL": locale}).out
    assert standing in listing
    assert "planned" not in listing


@pytest.mark.sweep
def test_the_author_settles_what_happened_and_it_stays(book: Path, typed: Typed) -> None:
    # req: G5
    quote = "the bell ring under water"
    typed("promises", "settle", "bell", "planted", "--chapter", 2, "--quote", quote)
    details = row(typed, "bell")
    assert [(e["event"], e["chapter"], e["quote"]) for e in details["events"]] == [
        ("planted", 2, quote)
    ]
    assert len(details["events"][0]["paragraph_sha256"]) == 64
    assert typed("write", 2, "--again", "--review", "reject").code == 0
    assert row(typed, "bell")["status"] == "planted", "a later reading carries it on"
    stored = json.loads((book / "foreshadowing/global.json").read_text("utf-8"))["promises"]
    assert {p["id"]: p["status"] for p in stored} == {"bell": "planted", "hat": "planned"}
    assert "setup" not in stored[0]
    assert typed("verify").code == 0
    typed("promises", "settle", "bell", "abandoned", "--reason", "The bell is gone.")
    assert row(typed, "bell")["status"] == "abandoned"
    assert typed("verify").code == 0


@pytest.mark.sweep
def test_words_of_an_event_that_an_edit_took_out_are_named(book: Path, typed: Typed) -> None:
    # req: G5
    from studio.session import Session
    from studio.tui.views.pages.memory_rows import rows_of

    def gone() -> list[Any]:
        findings = typed("continuity", "--json").json["findings"]
        return [entry for entry in findings if entry["code"] == "words_gone"]

    quote = "the bell ring under water"
    typed("promises", "settle", "bell", "planted", "--chapter", 2, "--quote", quote)
    assert not gone()
    chapter = book / "chapters/chapter-002.md"
    chapter.write_text(chapter.read_text("utf-8").replace("ring under", "toll below"), "utf-8")
    (one,) = gone()
    assert (one["fact_key"], one["chapters"]) == ("words_gone:bell", [2])
    assert quote in one["message"]
    listed = typed("promises", "list").out
    assert "no longer in chapter 2: The bell rings under water." in listed
    (listed_row,) = (
        one for one in rows_of("promises", Session.open(book, {}), 3) if one.key == "bell"
    )
    words = "".join(phrase.text for phrase in listed_row.words)
    assert "the words that planted it are gone" in words
    typed("promises", "settle", "bell", "planted", "--chapter", 2, "--quote", "bell toll below")
    assert not gone()
    assert "no longer in" not in typed("promises", "list").out


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("typed_words", "reason"),
    [
        (("bell", "resolved"), "was not planted"),
        (("nobody", "planted"), "no promise nobody"),
        (("bell", "planted", "--chapter", "7"), "Chapter 7 is not in the book"),
        (("bell", "planted", "--quote", "words that are not there"), "not in chapter 2"),
    ],
)
def test_what_cannot_be_settled_is_refused(
    book: Path, typed: Typed, typed_words: tuple[str, ...], reason: str
) -> None:
    before = (book / "state/changelog.jsonl").read_bytes()
    ended = typed("promises", "settle", *typed_words)
    assert ended.code == 2
    assert reason in ended.err
    assert (book / "state/changelog.jsonl").read_bytes() == before


@pytest.mark.sweep
def test_a_promise_is_added_once(book: Path, typed: Typed) -> None:
    assert typed("promises", "add", "letter", "--about", "The letter.", "--due", 5).code == 0
    assert row(typed, "letter")["due"] == 5
    assert typed("promises", "add", "letter", "--about", "Again.").code == 2
    assert typed("promises", "add", "../x", "--about", "No.").code == 2


@pytest.mark.sweep
def test_a_list_that_says_otherwise_is_named(book: Path, typed: Typed) -> None:
    path = book / "foreshadowing/global.json"
    words = path.read_text("utf-8").replace('"id": "bell"', '"id": "bell", "status": "resolved"')
    path.write_text(words, "utf-8")
    assert "bell" in json.dumps(typed("verify", "--json").json["findings"])
