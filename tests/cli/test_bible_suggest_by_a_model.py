"""`studio bible suggest --model`: agents say what the chapters tell of names, each fact quoted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Typed
from tests.exchange.texts import NAMES
from tests.fake_messages import Asked, FakeMessages, Rule


def fact(words: str, chapter: int, quote: str) -> dict[str, Any]:
    return {"fact": words, "chapter": chapter, "quote": quote}


def answered(asked: Asked) -> Rule | None:
    if asked.schema is None or "entries" not in asked.schema["properties"]:
        return None
    if "Fenwick" in asked.prompt.rpartition("For each of these names")[2]:
        entry = {"name": "Fenwick", "kind": "place", "same_as": "", "facts": []}
        return Rule(value={"entries": [entry]})
    joss = [
        fact("He knows, and tells Mara.", 2, "By then Joss knew. He told Mara so."),
        fact("He is fond of herring.", 1, "Joss ate a herring."),
    ]
    people = [
        {"name": "Joss", "kind": "character", "same_as": "", "facts": joss},
        {"name": "Mara Stobbs", "kind": "none", "same_as": "", "facts": []},
    ]
    return Rule(value={"entries": people})


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    with FakeMessages(answering=answered) as running:
        yield running


@pytest.mark.sweep
def test_facts_need_a_quote_and_come_with_what_is_taken(
    novel: Path, typed: Typed, server: FakeMessages, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: G14
    source = novel.parent / "two.md"
    source.write_text(NAMES["en"], "utf-8")
    assert typed("import", source, "--into", novel, "--yes", "--as", "committed").code == 0
    assert typed("bible", "suggest", "--model").code == 2, "there is no model that reads"

    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    ended = typed("bible", "suggest", "--model", "--json")
    assert ended.code == 0, ended.err
    rows = {row["name"]: row for row in ended.json["suggestions"]}
    assert rows["Joss"]["facts"] == [
        fact("He knows, and tells Mara.", 2, "By then Joss knew. He told Mara so.")
    ], "a fact whose quote stands nowhere is left out"
    assert not rows["Mara Stobbs"]["is_a_name"]
    assert rows["Fenwick"]["kind"] == "place"
    assert len(server.asked) == 2, "one question about people, one about the world"
    assert "He told Mara so" in server.asked[0].prompt

    assert typed("bible", "suggest", "--model", "--take", "Joss", "--json").code == 0
    assert len(server.asked) == 2, "what was answered is not paid again"
    entry = (novel / "characters/active/joss.md").read_text("utf-8")
    assert "He knows, and tells Mara. %% Chapter 2: By then Joss knew. He told Mara so. %%" in entry
    assert "herring" not in entry
