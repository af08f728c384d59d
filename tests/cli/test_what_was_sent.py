"""What will be sent, what was sent, what it cost, and the texts that were set aside."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path

import pytest

from studio.project.clock import now
from studio.project.create import create_novel
from studio.project.history.variations import Variations
from studio.project.lock.lock import ProjectLock
from studio.session import Session
from studio.story.records import UsageEntry
from tests.cli.command import studio
from tests.cli.conftest import OWN_CHAPTER, Typed, own_chapter
from tests.fake_messages import FakeMessages

KEY = "sk-ant-canary-012345"


def tree(folder: Path) -> dict[str, tuple[str, int]]:
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


@pytest.mark.sweep
def test_the_next_prompt_is_shown_before_it_is_paid_for(
    project: Path, typed: Typed, vendor: None
) -> None:  # req: A3
    before = tree(project)
    ended = typed("context", "--project", project)
    assert ended.code == 0, ended.err
    assert ended.out.startswith("Chapter 3, scene 1 of 3: scene-drafter")
    assert "claude-opus-5-5 (deep)" in ended.out
    assert "Cost: " in ended.out
    assert "previous-tail" in ended.out
    assert tree(project) == before
    assert not (project / ".novel.lock").exists()


@pytest.mark.sweep
def test_a_pinned_line_is_sent_and_the_difference_to_the_last_call_is_shown(
    project: Path, typed: Typed, vendor: None
) -> None:  # req: G4
    (project / "world/tides.md").write_text("# Tides\n\nTwice a day.\n", "utf-8")
    assert typed("lines", "pin", "world/tides", "--project", project).code == 0
    assert typed("lines", "mute", "contract/contract", "--project", project).code == 2
    assert typed("lines", "mute", "storyline/memory", "--project", project).code == 0
    chosen = typed("lines", "--json", "--project", project).json
    assert chosen["pins"] == [{"agent": None, "line": "world/tides"}]
    lines = typed("context", "--lines", "--project", project).out.splitlines()
    assert any("world/tides" in line for line in lines)
    assert not [line for line in lines if line.endswith("  text")]
    diff = typed("context", "--diff", "--json", "--project", project).json["diff"]
    assert diff["against"] is None
    with FakeMessages() as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
        studio("write", "--review", "reject", cwd=project, environ=environ)
        drafted = next(asked for asked in server.asked if "scene 1" in asked.prompt)
    assert "Twice a day." in drafted.prompt
    assert "What this line remembers" not in drafted.prompt
    assert typed("lines", "reset", "world/tides", "--project", project).code == 0
    diff = typed("context", 3, "--scene", 1, "--diff", "--json", "--project", project).json["diff"]
    world = next(block for block in diff["blocks"] if block["id"] == "world")
    assert "-Twice a day." in world["diff"]


@pytest.mark.sweep
def test_the_prompt_that_is_shown_is_the_prompt_that_is_sent(project: Path) -> None:
    with FakeMessages() as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
        ahead = studio("context", "--json", cwd=project, environ=environ)
        studio("write", "--review", "reject", cwd=project, environ=environ)
        drafted = next(asked for asked in server.asked if "scene 1" in asked.prompt)
    blocks = ahead.json["blocks"]
    orders = [b["order"] for b in blocks]
    assert orders == sorted(orders)
    assert all(order % 100 == 0 for order in orders)
    for block in blocks:
        assert block["text"] in drafted.prompt, block["id"]
    assert ahead.json["tokens"] == sum(b["tokens"] for b in blocks)


@pytest.mark.sweep
def test_a_later_scene_and_one_block_can_be_asked_for(
    project: Path, typed: Typed, vendor: None
) -> None:
    later = typed("context", 3, "--scene", 2, "--block", "chapter-so-far", "--project", project)
    assert later.out.splitlines() == ["[Scene 1]", "", "(scene 1, once it is written)", "", ""]
    settings = project / "studio.toml"
    limited = re.sub(r"(?m)^prose_limit = .*$", "prose_limit = 400", settings.read_text("utf-8"))
    settings.write_text(limited, "utf-8")
    tail = typed("context", "--block", "previous-tail", "--project", project).out.rstrip("\n")
    assert 0 < len(tail) <= 400  # req: C15
    assert (project / "chapters/chapter-002.md").read_text("utf-8").rstrip().endswith(tail)
    words = typed("context", "--full", "--project", project).out
    assert "[scene-plan]" in words
    unknown = typed("context", "--block", "weather", "--project", project)
    assert unknown.code == 2
    assert "It has the agent's own text, brief, " in unknown.err
    none = typed("context", 3, "--scene", 9, "--project", project)
    assert none.code == 2
    assert "no scene 9" in none.err


# req: C9
def test_another_version_of_a_passage_is_shown_before_it_is_asked_for(
    project: Path, typed: Typed, vendor: None
) -> None:
    before = tree(project)
    order = ("context", 2, "--passage", "1.2", "--mode", "refine", "--direction", "Colder.")
    ended = typed(*order, "--json", "--project", project)
    assert ended.code == 0, ended.err
    words = {block["id"]: block["text"] for block in ended.json["blocks"]}
    assert words["passage"] in (project / "chapters/chapter-002.md").read_text("utf-8")
    assert words["direction"] == "Colder."
    for fault in (("context", "--passage", "1.2"), (*order, "--agent", "prewriter"),
                  ("context", 2, "--passage", "99.1")):  # fmt: skip
        assert typed(*fault, "--project", project).code == 2
    assert tree(project) == before


def test_without_a_model_the_default_one_stands_in(
    project: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.llm.choose.is_available", lambda: False)
    ended = typed("context", "--project", project)
    assert ended.code == 0
    assert "No model is set up." in ended.err
    assert "claude-opus-5-5" in ended.out


def test_a_chapter_without_a_plan_has_no_prompt(novel: Path, typed: Typed, vendor: None) -> None:
    refused = typed("context")
    assert refused.code == 2
    assert "Chapter 1 has no plan" in refused.err


@pytest.mark.sweep
def test_every_call_of_a_chapter_is_listed_and_shown_whole(tmp_path: Path) -> None:
    book = tmp_path / "책"
    create_novel(book, "소금 장부", "ko")
    (book / "volumes/vol-01/outline.md").write_text(
        "# 1권\n\n## Chapter 1: 밤\n\n마라가 장부를 찾는다.\n", "utf-8"
    )
    assert "No model was asked for this novel yet." in studio("log", cwd=book).out
    with FakeMessages() as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
        assert studio("write", "--review", "reject", cwd=book, environ=environ).code == 0
    listed = studio("log", "1", "--json", cwd=book).json["calls"]
    assert {call["agent"] for call in listed} >= {"scene-drafter", "summarizer", "quality-oracle"}
    newest = studio("log", "--last", "1", cwd=book).out
    assert listed[-1]["id"] in newest
    assert listed[0]["id"] not in newest

    first = next(call["id"] for call in listed if call["agent"] == "scene-drafter")
    whole = studio("log", "show", first, cwd=book).out
    assert "[scene-plan]" in whole
    assert "마라가 장부를 찾는다" in whole
    record = studio("log", "show", first, "--json", cwd=book).json
    replayed = [
        json.loads(row) for row in studio("log", "replay", first, cwd=book).out.splitlines()
    ]
    assert {event["type"] for event in replayed} >= {"text", "finish", "usage"}  # req: G12
    assert replayed[0]["seq"] == 1
    assert record["generatedText"] in whole
    assert KEY not in whole
    assert studio("log", "show", "gen-001", cwd=book).code == 2

    spent = studio("usage", "--json", cwd=book).json
    (row,) = spent["rows"]
    assert (row["key"], row["calls"]) == ("1", len(listed))
    assert row["usd"] == pytest.approx(sum(call["cost_usd"] or 0 for call in listed))
    assert "chapter" in studio("usage", cwd=book).out


def test_a_record_that_cannot_be_read_is_named_and_left_out(novel: Path, typed: Typed) -> None:
    (novel / "logs/generations").mkdir(parents=True)
    (novel / "logs/generations/gen-001-x.json").write_text("{", "utf-8")
    listed = typed("log")
    assert listed.code == 0
    assert "gen-001-x.json cannot be read" in listed.err
    assert typed("log", "show", "gen-001-x").code == 5


def test_a_call_that_is_running_is_no_call_without_an_end(novel: Path, typed: Typed) -> None:
    entry = {"event": "reserve", "id": "gen-1", "ts": "2026-11-01T10:00:00Z", "reserved_usd": 0.5}
    Session.open(novel, {}).store.journal.spending.append(UsageEntry.model_validate(entry))
    with ProjectLock(novel, 1):
        said = typed("status").out
    assert "A model is being asked now; that can cost up to $0.5000 more" in said
    assert "Perhaps spent" not in said
    assert "Perhaps spent: up to $0.5000 more, by 1 call with no" in typed("status").out


def test_what_is_spent_names_a_running_call_as_such_and_one_that_was_killed_before_it(
    novel: Path, typed: Typed
) -> None:
    """While a model wrote, `usage` spoke of a lost call and had it settled."""
    store = Session.open(novel, {}).store
    killed = {"event": "reserve", "id": "gen-1", "ts": "2026-11-01T10:00:00Z", "reserved_usd": 0.25}
    store.journal.spending.append(UsageEntry.model_validate(killed))
    with ProjectLock(novel, 1):
        on = {"event": "reserve", "id": "gen-2", "ts": now(), "reserved_usd": 0.5}
        store.journal.spending.append(UsageEntry.model_validate(on))
        said, listed = typed("usage").out, typed("usage", "settle")
        of_now = typed("usage", "settle", "--json").json["open"]
    assert "A model is being asked now; that can cost up to $0.5000 more" in said
    assert "Perhaps spent: up to $0.2500, by 1 call with no recorded end." in said
    assert "A model is being asked now" in listed.out
    assert [entry["id"] for entry in of_now] == ["gen-1"]
    after = typed("usage").out
    assert "A model is being asked now" not in after
    assert "Perhaps spent: up to $0.7500, by 2 calls" in after


def test_a_call_that_never_ended_stands_apart_and_counts_with_all_that_was_reserved(
    novel: Path, typed: Typed
) -> None:  # req: N7
    journal = Session.open(novel, {}).store.journal
    for number, event, money in ((1, "reserve", 0.5), (2, "reserve", 0.5), (2, "settle", 0.125)):
        journal.spending.append(
            UsageEntry.model_validate(
                {
                    "event": event,
                    "id": f"gen-{number}",
                    "ts": f"2026-11-0{number}T10:00:00Z",
                    "chapter": number,
                    "model": "claude-opus-5-5",
                    "reserved_usd" if event == "reserve" else "usd": money,
                }
            )
        )
    by_day = typed("usage", "--by", "day", "--json").json
    assert [(row["key"], row["usd"], row["perhaps_usd"]) for row in by_day["rows"]] == [
        ("2026-11-01", 0.0, 0.5),
        ("2026-11-02", 0.125, 0.0),
    ]
    assert (by_day["total"]["usd"], by_day["counted_usd"]) == (0.125, 0.625)
    settings = novel / "studio.toml"
    capped = settings.read_text("utf-8").replace("[budget]\n", "[budget]\nproject_usd = 2\n")
    settings.write_text(capped, "utf-8")
    assert "Of $2.00 for the novel, $0.6250 is spent or reserved." in typed("usage").out


def test_the_writer_says_what_killed_calls_cost(novel: Path, typed: Typed) -> None:
    assert "Every call is accounted for." in typed("usage", "settle").out
    journal = Session.open(novel, os.environ).store.journal
    for number in (1, 2):
        entry = UsageEntry(
            event="reserve", id=f"a{number}", ts=f"2026-11-0{number}T10:00:00Z", reserved_usd=0.5
        )
        journal.reserve(entry, lambda counted: None)
    assert typed("usage", "settle", "--usd", "1").code == 2
    assert typed("usage", "settle", "3", "--usd", "1").code == 2
    assert typed("usage", "settle", "1", "--usd", "-1").code == 2
    first = typed("usage", "settle", "--json").json["open"][0]
    assert (first["number"], first["id"], first["reserved_usd"]) == (1, "a1", 0.5)
    assert typed("usage", "settle", "1", "--usd", "0.02").code == 0
    assert typed("usage", "settle", "--all").code == 0  # the other cost what was reserved
    spent = typed("usage", "--json").json
    assert (spent["counted_usd"], spent["perhaps_usd"], spent["open"]) == (0.52, 0.0, [])


def test_a_model_of_unknown_price_is_allowed_for_good_or_for_today(
    novel: Path, typed: Typed
) -> None:
    assert typed("usage", "allow", "qwen3-8b", "--today").code == 0
    assert "may be asked" in typed("usage", "allow", "other").out
    spending = Session.open(novel, os.environ).store.journal.spending
    assert spending.may_go_unpriced("qwen3-8b")
    assert spending.sums().may_go_unpriced("other", "2099-01-01")
    assert not spending.sums().may_go_unpriced("qwen3-8b", "2099-01-01")


def test_a_text_that_was_set_aside_is_listed_shown_and_brought_back(
    novel: Path, tmp_path: Path, typed: Typed
) -> None:  # req: C12
    assert typed("write", "--draft", own_chapter(tmp_path)).code == 4
    layout = Session.open(novel, {}).store.layout
    other = "# The Salt Ledger\n\nMara saw no ledger.\n\n* * *\n\nThe stove was cold.\n"
    Variations(layout).keep(1, None, other, "before the redraft")
    (row,) = typed("variations", "--json").json["variations"]
    assert (row["scene"], row["reason"]) == (None, "before the redraft")
    assert row["sha256"][:10] in typed("variations", 1).out
    assert typed("variations", "show", "--sha", row["sha256"][:6]).out == other

    restored = typed("variations", "restore", "--sha", row["sha256"][:6])
    assert restored.code == 0, restored.err
    assert (novel / "staging/chapters/chapter-001.md").read_text("utf-8") == other
    texts = {Path(f).read_text("utf-8") for f in (novel / "variations/chapter-001").glob("*.md")}
    assert OWN_CHAPTER in texts


def test_a_kept_text_is_named_by_enough_of_its_letters(novel: Path, typed: Typed) -> None:
    assert typed("variations").code == 2
    Variations(Session.open(novel, {}).store.layout).keep(1, 2, "雨停了。", "cut off")
    listed = typed("variations", 1).out
    assert "Scene 2" in listed
    missing = typed("variations", "show", 1, "--sha", "zz")
    assert missing.code == 2
    assert "No kept text begins with 'zz'." in missing.err
    committed = typed("variations", "restore", 1, "--sha", listed[:10])
    assert committed.code == 2
    assert "not in progress" in committed.err
