"""`studio continuity`: what code finds, where, and what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.state import StateOp
from tests.cli.conftest import Typed
from tests.project.novels import commit_now, put
from tests.project.plans import put_contract

TEXTS = {
    1: "# One\n\nJoss rowed. “Mind the rope,” said Joss.\n\nMara counted the panes.\n",
    2: "# Two\n\nThe rope took him. Joss went under and did not come up.\n\nMara waited.\n",
    3: "# Three\n\n“Tea,” said Joss, and poured it.\n\nMaro laughed. Mara heard the bell.\n",
}


@pytest.fixture
def book(novel: Path) -> Path:
    """Three chapters; Joss dies in the second and pours tea in the third."""
    put(novel, "characters/active/joss.md", "---\ndead_from: 2\n---\n# Joss\n\nRows.")
    put(novel, "characters/active/mara.md", "# Mara\n\nCounts.")
    put(novel, "world/items/rope.md", "---\nname: Long Rope\ngone_from: 2\n---\nHemp.")
    store = ProjectStore(novel)
    for number, text in TEXTS.items():
        last_seen = StateOp(op="set", path="characters.mara.last_seen", value=number)
        commit_now(store, number, text, last_seen)
    return novel


def codes(typed: Typed, *words: object) -> dict[str, dict[str, Any]]:
    rows = typed("continuity", *words, "--json").json["findings"]
    return {finding["code"]: finding for finding in rows}


def test_a_dead_man_who_speaks_is_found_with_both_places(book: Path, typed: Typed) -> None:
    # req: G7
    finding = codes(typed)["dead_present"]
    assert finding["severity"] == "medium"
    assert finding["fact_key"] == "dead_present:joss"
    died, speaks = finding["evidence"]
    assert (died["chapter"], speaks["chapter"]) == (2, 3)
    assert "Joss went under" in died["quote"]
    assert speaks["quote"].startswith("“Tea,” said Joss")
    assert all(len(place["paragraph_sha256"]) == 64 for place in finding["evidence"])


def test_a_slip_in_a_name_is_named(book: Path, typed: Typed) -> None:  # req: G7
    finding = codes(typed)["near_name"]
    assert finding["severity"] == "low"
    assert "“Maro” stands once" in finding["message"]


@pytest.mark.parametrize(
    ("language", "known", "text", "stands"),
    [
        ("ko", "한서주", "한서준이 문을 열었다. 서준은 웃었다.", False),
        ("ko", "한서주", "한서준이 문을 열었다. 서주가 웃었다.", True),
        ("zh", "陈国梁", "陈国良开了门。国良笑了。国梁看着他。", False),
        ("zh", "陈国梁", "陈国良开了门。国梁看着他。", True),
        ("zh", "陈国梁", "张国梁开了门。", True),
    ],
)
def test_a_new_name_whose_given_name_stands_by_itself_is_no_slip(
    tmp_path: Path, typed: Typed, language: str, known: str, text: str, stands: bool
) -> None:
    book = tmp_path / "other"
    create_novel(book, "Salt", language)
    put(book, "characters/active/someone.md", f"# {known}\n\n.")
    commit_now(ProjectStore(book), 1, f"# 1\n\n{known}。\n\n{known}。\n\n{text}\n")
    ledger = typed("continuity", "--project", book, "--json").json
    codes_found = [finding["code"] for finding in ledger["findings"]]
    assert ("near_name" in codes_found) is stands
    assert ledger["chapters"] == [1, 1], "there is no second chapter, and no plan of one"


@pytest.mark.sweep
def test_a_dead_man_in_the_next_plan_stops_the_next_chapter(book: Path, typed: Typed) -> None:
    # req: G7 E1
    put_contract(book, 4, characters=["joss", "mara"])
    own = book / "own.md"
    own.write_text("# Four\n\nMara alone.\n", "utf-8")
    assert typed("continuity", "--strict").code == 1
    ended = typed("write", "--draft", own, "--review", "accept")
    assert ended.code == 4
    decision = typed("status", "--json").json["pending_decision"]
    assert (decision["kind"], decision["options"]) == ("continuity", ["go-on", "edit", "waive"])
    assert "Joss died in chapter 2" in decision["rationale"]
    assert typed("decide", "waive", "--note", "A ghost.").code == 0
    assert typed("resume", "--review", "accept").code == 0
    stored = json.loads((book / "waivers.json").read_text("utf-8"))
    assert [(f["fact_key"], f["reason"]) for f in stored["facts"]] == [
        ("dead_present:joss", "A ghost.")
    ]
    assert "dead_present" not in codes(typed)
    assert typed("continuity", "--json").json["waived"]


def test_go_on_holds_until_the_plan_changes(book: Path, typed: Typed) -> None:  # req: G7
    put_contract(book, 4, characters=["joss"])
    own = book / "own.md"
    own.write_text("# Four\n\nMara alone.\n", "utf-8")
    assert typed("write", "--draft", own, "--review", "reject").code == 4
    assert typed("decide", "go-on").code == 0
    assert typed("resume", "--review", "reject").code == 0
    own.write_text("# Five\n\nMara still.\n", "utf-8")
    put_contract(book, 5, characters=["mara"])
    put_contract(book, 4, characters=["joss", "mara"])
    assert typed("write", "--draft", own, "--review", "reject").code == 4


def test_plans_alone_are_looked_at_too(book: Path, typed: Typed) -> None:  # req: G7
    scene = {"number": 1, "purpose": "At the quay", "location": "quay", "characters": ["mara"]}
    other = {**scene, "number": 2, "purpose": "At the tower", "location": "tower"}
    put_contract(
        book,
        4,
        characters=["mara", "nobody"],
        beats=["The Long Rope holds"],
        scenes=[{**scene, "when": "day 3 14:30"}, {**other, "when": "day 3 14:30"}],
        foreshadowing=[{"id": "bell", "action": "resolve"}],
    )
    put_contract(book, 5, scenes=[{**scene, "when": "day 2"}])
    findings = codes(typed, "--all")
    assert findings["two_places"]["severity"] == "high"
    assert findings["lost_used"]["severity"] == "high"
    assert findings["time_backwards"]["chapters"] == [4, 5]
    assert findings["unknown_name"]["entities"] == ["nobody"]
    assert findings["payoff_before_plant"]["fact_key"] == "payoff_before_plant:bell"


def test_a_flashback_is_no_contradiction(book: Path, typed: Typed) -> None:  # req: G7
    put_contract(book, 3, scenes=[{"number": 1, "purpose": "Then", "flashback": True}])
    assert "dead_present" not in codes(typed)


def test_who_knows_a_secret_too_early_is_found(book: Path, typed: Typed) -> None:  # req: G6
    secret = {"id": "tea", "fact": "Joss brews.", "phrases": ["Tea"]}
    knows = {**secret, "known_by": [{"who": "joss", "from": "3.2"}]}
    put(book, "world/secrets.json", {"secrets": [knows]})
    assert codes(typed)["knows_early"]["fact_key"] == "knows_early:tea:joss"
    knows["known_by"] = [{"who": "joss", "from": 3}]
    put(book, "world/secrets.json", {"secrets": [knows]})
    assert "knows_early" not in codes(typed)


def test_facts_are_waived_and_taken_back(book: Path, typed: Typed) -> None:  # req: G7
    ended = typed("waivers", "add", "--fact", "dead_present:joss", "--reason", "A ghost.")
    assert ended.code == 0
    assert "dead_present" not in codes(typed)
    assert typed("waivers", "remove", "fact_001").code == 0
    assert "dead_present" in codes(typed)
    assert typed("waivers", "add", "--fact", "weather:rain", "--reason", "x").code == 2
    assert typed("waivers", "add", "--reason", "x").code == 2


def test_a_rebuild_names_what_contradicts_and_claims_no_more(book: Path, typed: Typed) -> None:
    # req: F9
    path = book / "chapters/chapter-001.md"
    path.write_text(path.read_text("utf-8").replace("rowed", "rowed out"), "utf-8")
    report = typed("rebuild", 1, "--json")
    assert report.code == 0, report.err
    assert {f["code"] for f in report.json["findings"]} >= {"dead_present"}
    assert report.json["checked"] == [2, 3]


# req: S7
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("characters/active/joss.md", "---\nname: {}\n---\nRows."),
        ("characters/active/joss.md", "---\naliases: [Joss, {}]\n---\nRows."),
        ("world/items/rope.md", "---\nname: Rope\nexclude: [{}]\n---\nHemp."),
        ("characters/active/joss.json", '{{"schema_version": 1, "id": "joss", "name": "{}"}}'),
    ],
)
def test_a_name_without_end_is_refused_by_its_file(
    novel: Path, typed: Typed, path: str, text: str
) -> None:
    put(novel, path, text.format("灯" * 200))
    assert typed("continuity").code == 0
    put(novel, path, text.format("마라" * 1_000_000))
    refused = typed("continuity")
    assert refused.code == 5
    assert f"{path} does not fit its format" in refused.err
    assert "the name has 2,000,000 characters; at most 200 are allowed" in refused.err
    assert len(refused.err) < 1000


def test_a_heading_without_end_is_no_name(novel: Path, typed: Typed) -> None:
    put(novel, "world/items/rope.md", f"# {'rope ' * 500_000}\n\nHemp.\n")
    assert typed("continuity").code == 0
    assert [entry["name"] for entry in typed("bible", "list", "--json").json["entries"]] == ["rope"]
