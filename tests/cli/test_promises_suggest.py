"""`studio promises suggest`: what a model reads of promises, each with words of the text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Typed
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.project.novels import put

BOOK = """# 하나

마라는 잠긴 서랍의 열쇠를 바다에 던졌다. “언젠가 열릴 거야.”

종은 물속에서 울렸다.

# 둘

비가 왔다. 서랍 안에서 무언가 긁는 소리가 났다.

# 셋

조스가 서랍을 열었다. 빈 둥지가 있었다.
"""


def promise(name: str, chapter: int, quote: str, **fields: Any) -> dict[str, Any]:
    about = {"about": "서랍 안에 무엇이 있는가.", "characters": ["mara", "nobody"]}
    return {"id": name, **about, "chapter": chapter, "quote": quote, **fields}


def event(name: str, action: str, chapter: int, quote: str) -> dict[str, Any]:
    return {"promise": name, "action": action, "chapter": chapter, "quote": quote}


ANSWER = {
    "promises": [
        promise("Locked Drawer", 1, '"언젠가 열릴 거야."'),
        promise("hat", 1, "모자는 너무 작았다"),
        promise("rain", 2, "비가 왔다.", about="\u202e\x1b[2J비\n그칠까?"),
        promise("quiet", 2, "비가 왔다.", about="  "),
        promise("late", 9, "비가 왔다."),
    ],
    "events": [
        event("Locked Drawer", "resolve", 3, "조스가 서랍을 열었다."),
        event("Locked Drawer", "advance", 2, "긁는 소리가 났다"),
        event("Locked Drawer", "plant", 3, "빈 둥지가 있었다"),
        event("bell", "plant", 1, "종은 물속에서 울렸다."),
        event("bell", "resolve", 2, "종소리가 멎었다"),
        event("../../chapters", "plant", 1, "종은 물속에서 울렸다."),
    ],
}


def answered(asked: Asked) -> Rule | None:
    if asked.schema is None or "promises" not in asked.schema["properties"]:
        return None
    return Rule(value=ANSWER)


@pytest.fixture
def server(server: FakeMessages) -> FakeMessages:
    server.answering = answered
    return server


@pytest.fixture
def book(novel: Path, typed: Typed) -> Path:
    put(novel, "characters/active/mara.md", "# 마라\n\n등대지기.")
    bell = {"id": "bell", "description": "물속의 종이 왜 울리는가."}
    put(novel, "foreshadowing/global.json", {"promises": [bell]})
    source = novel.parent / "three.md"
    source.write_text(BOOK, "utf-8")
    assert typed("import", source, "--into", novel, "--yes", "--as", "committed").code == 0
    return novel


def test_nobody_reads_unasked_and_without_a_model(book: Path, typed: Typed) -> None:  # req: G5
    assert typed("promises", "suggest", "--json").json["proposals"] == []
    assert typed("promises", "suggest", "--model").code == 2, "there is no model that reads"
    assert typed("promises", "suggest", 2).code == 2
    assert typed("promises", "suggest", "--take", "bell").code == 2


def test_what_a_model_reads_waits_until_it_is_taken_or_left(
    book: Path, typed: Typed, server: FakeMessages
) -> None:  # req: G5
    before = {p: p.read_bytes() for p in book.glob("[fs]*/*.json*")}
    ended = typed("promises", "suggest", "--model", "--json")
    assert ended.code == 0, ended.err
    assert "bell: planned: 물속의 종이" in server.asked[0].prompt
    rows = {row["name"]: row for row in ended.json["proposals"]}
    assert list(rows) == ["locked-drawer", "rain", "bell@1"]
    drawer = rows["locked-drawer"]
    assert [(e["event"], e["chapter"], e["quote"]) for e in drawer["events"]] == [
        ("planted", 1, "“언젠가 열릴 거야.”"),
        ("advanced", 2, "긁는 소리가 났다"),
        ("resolved", 3, "조스가 서랍을 열었다."),
    ], "in the author's own letters, in order, planted once"
    assert drawer["characters"] == ["mara"]
    assert rows["rain"]["description"].isprintable()
    assert {p: p.read_bytes() for p in before} == before, "nothing enters unasked"
    assert "서랍 안에" not in typed("context", 4, "--json").out

    assert typed("promises", "suggest", "--leave", "rain", "--json").json["left"] == ["rain"]
    done = typed("promises", "suggest", "--take-as", "locked-drawer", "서랍.", "--take", "bell@1")
    assert done.code == 0, done.err
    details = typed("promises", "show", "locked-drawer", "--json").json
    assert (details["planted"], details["resolved"], details["description"]) == (1, 3, "서랍.")
    assert details["events"][0]["paragraph_sha256"]
    assert typed("promises", "show", "bell", "--json").json["planted"] == 1
    assert typed("verify").code == 0

    again = typed("promises", "suggest", "--model", "--json")
    assert again.json["proposals"] == [], "what was left, and what is so, is not proposed again"


@pytest.mark.sweep
def test_a_proposal_goes_with_its_words(book: Path, typed: Typed, server: FakeMessages) -> None:
    # req: G5
    assert typed("promises", "suggest", "--model", "--json").code == 0
    chapter = book / "chapters/chapter-001.md"
    chapter.write_text(chapter.read_text("utf-8").replace("열릴 거야", "열리겠지"), "utf-8")
    names = [row["name"] for row in typed("promises", "suggest", "--json").json["proposals"]]
    assert names == ["rain", "bell@1"]
    stored = json.loads((book / "foreshadowing/proposals.json").read_text("utf-8"))
    assert len(stored["proposals"]) == 3, "her words may come back"
