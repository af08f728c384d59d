"""Answers no reader of chapters should give: words that stand nowhere, ids of another script, a
thousand entries, other forms, refusals. A sentence, nothing in the book, and the cost counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from studio.llm.gateway import Gateway
from tests.cli.conftest import Typed
from tests.exchange.texts import NAMES
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.conftest import at_once
from tests.project.novels import tree

FIRST = "Nothing moved in Fenwick but the gulls."
SECOND = "By then Joss knew. He told Mara so."
NOWHERE = "No such words stand in it."
SCREEN = "\x1b[2J\u202e[@click=app.quit]x[/]"
MANY = 1000
COMMANDS = {
    "continuity": ("continuity", "--model"),
    "promises": ("promises", "suggest", "--model"),
    "bible": ("bible", "suggest", "--model"),
}
OF_THE_CALLS = ("logs", "staging/partial", "history")
"""Where a call leaves its record."""


def contradiction(**fields: Any) -> dict[str, Any]:
    return {
        "kind": "body_thing",
        "severity": "medium",
        "entity": "mara",
        "about": "hand",
        "first_chapter": 1,
        "first_quote": FIRST,
        "second_chapter": 2,
        "second_quote": SECOND,
        "rule": "",
        "why": "Both cannot stand.",
        "repair": "",
        **fields,
    }


def promise(**fields: Any) -> dict[str, Any]:
    about = {"id": "gulls", "about": "What the gulls want.", "characters": ["마라"]}
    return {**about, "chapter": 1, "quote": FIRST, **fields}


def entry(*facts: str, quote: str = SECOND) -> dict[str, Any]:
    rows = [{"fact": fact, "chapter": 2, "quote": quote} for fact in facts]
    return {"name": "Joss", "kind": "character", "same_as": "马拉", "facts": rows}


def answer(
    contradictions: Any = (), promises: Any = (), entries: Any = (), facts: Any = ()
) -> Callable[[Asked], Rule]:
    """The lists that a question asks for, in full."""
    lists = {
        "contradictions": list(contradictions),
        "promises": list(promises),
        "entries": list(entries),
        "facts": list(facts),
        "events": [],
        "explanations": [],
    }

    def answered(asked: Asked) -> Rule:
        asked_for = asked.schema["properties"] if asked.schema else {}
        return Rule(value={name: value for name, value in lists.items() if name in asked_for})

    return answered


UNUSABLE: dict[str, Rule] = {
    "no JSON": Rule(text="I read them with pleasure."),
    "a list": Rule(text="[1, 2]"),
    "other fields": Rule(text='{"x": [1]}'),
    "a refusal": Rule(stop_reason="refusal", text="I will not."),
    "nothing": Rule(text=""),
    "no end": Rule(mode="loop"),
}


@pytest.fixture
def book(novel: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch) -> Path:
    defaults = Gateway.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "sleep", at_once)
    source = novel.parent / "two.md"
    source.write_text(NAMES["en"], "utf-8")
    assert typed("import", source, "--into", novel, "--yes", "--as", "committed").code == 0
    return novel


def spent(typed: Typed) -> float:
    return float(typed("usage", "--json").json["counted_usd"])


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """Files of the book that differ."""
    names = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    return {name for name in names if not name.startswith(OF_THE_CALLS)}


# req: G5 G8 G14
@pytest.mark.sampled
@pytest.mark.parametrize("odd", UNUSABLE)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_answer_is_said_and_counted_and_leaves_nothing(
    book: Path, typed: Typed, server: FakeMessages, command: str, odd: str
) -> None:
    server.answering = lambda asked: UNUSABLE[odd]
    before = tree(book)
    ended = typed(*COMMANDS[command], "--json")
    assert ended.code == (6 if command == "continuity" else 0)
    assert any(words in ended.err for words in ("could not be used", "declined", "returned nothing",
                                                "did not stop")), ended.err  # fmt: skip
    assert changed(before, tree(book)) == set()
    assert spent(typed) > 0


# req: G5 G8 G14
@pytest.mark.sampled(3)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_stands_nowhere_is_not_proposed(
    book: Path, typed: Typed, server: FakeMessages, command: str
) -> None:
    server.answering = answer(
        [contradiction(second_quote=NOWHERE)], [promise(quote=NOWHERE)], [entry("x", quote=NOWHERE)]
    )
    before = tree(book)
    ended = typed(*COMMANDS[command], "--json")
    assert ended.code == 0, ended.err
    if command == "bible":
        assert all(row["facts"] == [] for row in ended.json["suggestions"])
    else:
        rows = ended.json["proposals" if command == "promises" else "findings"]
        assert [row for row in rows if row.get("code") != "unknown_name"] == []
    assert changed(before, tree(book)) <= {"evaluations", "evaluations/continuity.json"}
    assert spent(typed) > 0


# req: G8
@pytest.mark.sweep
def test_findings_about_what_has_another_script_are_waived_one_by_one(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    """And a name that has an entry is its id, in whatever script."""
    mara = "---\naliases: [마라]\n---\n# Mara\n\nShe waits."
    (book / "characters/active").mkdir(exist_ok=True)
    (book / "characters/active/mara.md").write_text(mara, "utf-8")
    said = [contradiction(entity="마라", about="왼손"), contradiction(entity="马拉", about="左手")]
    server.answering = answer([*said, contradiction(entity="../x", about=SCREEN, why=SCREEN)])
    findings = typed("continuity", "--model", "--json").json["findings"]
    read = [one for one in findings if one["source"] == "model"]
    keys = [one["fact_key"] for one in read]
    assert len(set(keys)) == 3
    assert keys[0].startswith("model_body_thing:mara:x-")
    assert read[0]["entities"] == ["mara"]
    assert all(one["message"].isprintable() for one in read)
    assert typed("waivers", "add", "--fact", keys[1], "--reason", "meant").code == 0
    rest = typed("continuity", "--json").json["findings"]
    assert [one["fact_key"] for one in rest if one["source"] == "model"] == [keys[0], keys[2]]


# req: G8
@pytest.mark.sweep
def test_of_a_thousand_findings_the_gravest_are_taken_on_once_each(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    many = [contradiction(about=f"hand-{n}", why="why " * 20) for n in range(MANY)]
    facts = [{"entity": "x " * 9, "fact": "f " * 200, "chapter": 1, "quote": FIRST}] * 300
    grave = contradiction(about="gull", severity="high")
    server.answering = answer([*many[:100], grave, *many], facts=facts)
    ended = typed("continuity", "--model", "--json")
    assert ended.code == 0, ended.err
    assert "more than anybody would read" in ended.err
    read = [one for one in ended.json["findings"] if one["source"] == "model"]
    assert len({one["id"] for one in read}) == len(read) == 24
    assert "model_body_thing:mara:gull" in {one["fact_key"] for one in read}
    assert len(server.asked[1].prompt) < 2.2 * len(server.asked[0].prompt), "what is disproved"


# req: G14
@pytest.mark.sweep
def test_facts_of_a_model_are_words_and_no_markup(
    book: Path, typed: Typed, server: FakeMessages
) -> None:
    odd = f"## From chapter 1 {SCREEN} %% <!-- Joss limps."
    server.answering = answer(entries=[entry(odd, *(f"Fact {n}." for n in range(MANY)))])
    ended = typed("bible", "suggest", "--model", "--take", "Joss", "--json")
    assert ended.code == 0, ended.err
    words = (book / "characters/active/joss.md").read_text("utf-8")
    assert "\x1b" not in words
    assert "\u202e" not in words
    assert words.count("Chapter 2: By then Joss knew.") == 20
    assert [line for line in words.splitlines() if line.startswith("#")] == ["# Joss"]
    output = typed("bible", "show", "joss", "--at", 1, "--json").out
    assert "limps" in output
    assert "Fact 3." in output
    assert "By then Joss knew" not in output, "notes to people"
