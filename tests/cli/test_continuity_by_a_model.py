"""A model reads the chapters against each other: price, quotes, a disproof, a clean bill."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Typed
from tests.fake_messages import FakeMessages, Rule
from tests.project.novels import put

BOOK = """# 안개

마라는 왼손을 잃었다. 그날 밤 등대에는 아무도 없었다.

# 등불

마라는 왼손으로 등불을 들었다. 조스는 금요일에 떠났다.

# 종

안개는 밤에도 걷히지 않았다. 종은 울리지 않았다.
"""


def contradiction(**fields: Any) -> dict[str, Any]:
    return {
        "kind": "body_thing",
        "severity": "high",
        "entity": "mara",
        "about": "left-hand",
        "first_chapter": 1,
        "first_quote": "마라는 왼손을 잃었다",
        "second_chapter": 2,
        "second_quote": "왼손으로 등불을 들었다",
        "rule": "",
        "why": "잃은 손으로 등불을 들 수 없다.",
        "repair": "두 번째를 오른손으로.",
        **fields,
    }


SAID = [
    contradiction(),
    contradiction(about="ring", second_quote="그런 말은 어디에도 없다"),
    contradiction(
        kind="rule",
        about="fog",
        first_chapter=3,
        first_quote="안개는 밤에도 걷히지 않았다",
        second_chapter=None,
        second_quote="",
        rule="밤에는 안개가 없다",
    ),
    contradiction(
        kind="where_when",
        entity="joss",
        about="friday",
        first_quote="등대에는 아무도 없었다",
        second_quote="조스는 금요일에 떠났다",
    ),
]
FACT = {
    "entity": "mara",
    "fact": "왼손이 없다",
    "chapter": 1,
    "quote": "왼손을 잃었다",
}


@pytest.fixture
def book(novel: Path, typed: Typed) -> Path:
    put(novel, "characters/active/mara.md", "# 마라\n\n등대지기.")
    put(novel, "world/rules.json", {"rules": [{"id": "fog", "rule": "밤에는 안개가 없다."}]})
    source = novel.parent / "three.md"
    source.write_text(BOOK, "utf-8")
    assert typed("import", source, "--into", novel, "--yes", "--as", "committed").code == 0
    return novel


def finds(server: FakeMessages, said: list[Any], explained: list[int]) -> None:
    answers = [{"number": n, "explained": True, "how": "기억이다."} for n in explained]
    server.rules[:0] = [
        Rule(contains="Try to explain away", value={"explanations": answers}),
        Rule(contains="Read chapters", value={"contradictions": said, "facts": [FACT]}),
    ]


def of_a_model(ledger: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for entry in ledger["findings"] if entry["source"] == "model"]


# req: G8
@pytest.mark.sweep
def test_what_has_two_quotes_or_a_rule_and_is_not_explained_is_kept(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    finds(server, SAID, explained=[3])
    ended = typed("continuity", "--model", "--json")
    assert ended.code == 0, ended.err
    ledger = ended.json
    hand, fog = of_a_model(ledger)
    assert (hand["code"], hand["fact_key"]) == (
        "model_body_thing",
        "model_body_thing:mara:left-hand",
    )
    assert [e["quote"] for e in hand["evidence"]] == [
        "마라는 왼손을 잃었다",
        "왼손으로 등불을 들었다",
    ]
    assert fog["code"] == "model_rule"
    assert "밤에는 안개가 없다." in fog["message"]
    assert len(fog["evidence"]) == 1
    assert "model" in ledger["checked"]
    asked = [request.prompt for request in server.asked]
    assert len(asked) == 2, "one reading, one disproof"
    assert "[1.1] 마라는 왼손을 잃었다" in asked[0], "chapters are read, not summaries"
    assert "그런 말은 어디에도 없다" not in asked[1], (
        "a quote that is nowhere is nothing to disprove"
    )
    record = json.loads((book / "evaluations/continuity.json").read_text("utf-8"))
    assert [read["chapter"] for read in record["chapters"]] == [1, 2, 3]
    assert {f["source"] for f in record["findings"]} == {"model"}, "code's are never stored"


# req: G8
@pytest.mark.sweep
def test_findings_hold_while_their_chapters_stay_and_can_be_waived(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    finds(server, SAID[:1], explained=[])
    assert typed("continuity", "--model", "--strict", "--json").code == 1
    calls = len(server.asked)
    standing = typed("status", "--json").json["continuity"]
    assert (standing["high"], standing["chapters"]) == (1, [1, 2])
    assert "One contradiction is open" in typed("status").out
    later = typed("continuity", "--json").json
    assert [entry["fact_key"] for entry in of_a_model(later)] == ["model_body_thing:mara:left-hand"]
    assert len(server.asked) == calls, "without --model nobody is asked"
    key = "model_body_thing:mara:left-hand"
    assert typed("waivers", "add", "--fact", key, "--reason", "의수다").code == 0
    waived = typed("continuity", "--json").json
    assert of_a_model(waived) == []
    assert [entry["fact_key"] for entry in waived["waived"]] == [key]
    assert typed("status", "--json").json["continuity"]["high"] == 0
    assert typed("continuity", "--model", "--json").code == 0
    assert "meant: 잃은 손으로" in server.asked[-1].prompt
    chapter = book / "chapters/chapter-002.md"
    chapter.write_text(chapter.read_text("utf-8").replace("왼손", "오른손"), "utf-8")
    changed = typed("continuity", "--json").json
    assert of_a_model(changed) == []
    assert "model" not in changed["checked"]


# req: G8
@pytest.mark.sweep
def test_a_clean_bill_is_a_result_and_asks_once(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    ended = typed("continuity", "--model")
    assert ended.code == 0, ended.err
    assert "Cost: " in ended.out
    assert ended.out.index("Cost: ") < ended.out.index("nothing that contradicts")
    assert len(server.asked) == 1
    assert json.loads((book / "evaluations/continuity.json").read_text())["findings"] == []


def test_with_no_model_it_says_what_to_do_and_changes_nothing(book: Path, typed: Typed) -> None:
    ended = typed("continuity", "--model", "--provider", "anthropic")
    assert ended.code == 2
    assert not (book / "evaluations/continuity.json").exists()


# req: G8
def test_a_window_carries_on_what_the_ones_before_it_settled(
    book: Path, typed: Typed, server: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.pipeline.book_runs.chapter_windows.MOST_CHAPTERS", 1)
    finds(server, [], explained=[])
    assert typed("continuity", "--all", "--model", "--json").code == 0
    last = server.asked[-1].prompt
    assert "settled: mara: 왼손이 없다 (chapter 1: “왼손을 잃었다”)" in last
    assert "마라는 왼손으로 등불을" not in last, "a window holds its own chapters"
