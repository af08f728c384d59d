"""`studio bible`: entries, their changes, where they are named, and the author's own facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.session import Session
from studio.tui.views.pages.memory_rows import rows_of
from tests.cli.command import tree
from tests.cli.conftest import Typed
from tests.project.novels import put

JOSS = """---
aliases: [the ferryman]
links: [bell]
dead_from: 6
---
# Joss

Rows the ferry.

## From chapter 3

Limps.
"""


@pytest.fixture
def book(novel: Path) -> Path:
    put(novel, "characters/active/joss.md", JOSS)
    put(novel, "world/items/bell.md", "---\nname: Drowned Bell\n---\nBronze.")
    put(novel, "chapters/chapter-001.md", "# One\n\nJoss rows.\n\nThe ferryman’s oar. Jossamine.\n")
    return novel


def test_entries_are_listed_with_kind_and_names(book: Path, typed: Typed) -> None:  # req: G2
    rows = {row["slug"]: row for row in typed("bible", "list", "--json").json["entries"]}
    assert rows["joss"]["kind"] == "character"
    assert rows["joss"]["aliases"] == ["the ferryman"]
    assert rows["joss"]["changes"] == ["3"]
    assert rows["bell"]["kind"] == "item"
    assert "Drowned Bell" in typed("bible").out


def test_an_entry_is_shown_as_it_is_at_a_chapter(book: Path, typed: Typed) -> None:  # req: G3
    assert "Limps" not in typed("bible", "show", "joss", "--at", 2).out
    later = typed("bible", "show", "Joss", "--at", 7, "--json").json
    assert "Limps" in later["text"]
    assert later["state"] == {"alive": False}
    assert typed("bible", "show", "joss", "--at", 6, "--json").json["state"] == {}
    assert typed("bible", "show", "nobody").code == 2


def test_mentions_have_their_places(book: Path, typed: Typed) -> None:  # req: G2
    chapters = typed("bible", "mentions", "joss", "--json").json["chapters"]
    assert [(c["chapter"], c["count"]) for c in chapters] == [(1, 2)]
    assert [place["paragraph"] for place in chapters[0]["places"]] == [1, 2]
    assert chapters[0]["places"][1]["quote"].startswith("The ferryman’s oar")


def test_a_fact_of_the_authors_counts_from_its_chapter_on(book: Path, typed: Typed) -> None:
    ended = typed("bible", "set", "items.bell.condition", "lost", "--from", 2)
    assert ended.code == 0
    assert "items.bell.condition is lost" in ended.out
    typed("bible", "set", "items.bell.condition", "here", "--from", 4)
    stored = json.loads((book / "world/facts.json").read_text("utf-8"))
    assert [fact["from"] for fact in stored["facts"]] == [2, 4]
    states = {
        n: typed("bible", "show", "bell", "--at", n, "--json").json["state"] for n in (2, 3, 5)
    }
    assert states == {2: {}, 3: {"condition": "lost"}, 5: {"condition": "here"}}
    assert typed("verify").code == 0


def test_every_value_of_a_fact_is_said_alike_by_command_and_in_the_app(
    book: Path, typed: Typed
) -> None:  # req: G8
    for name, value in {"rung": "true", "depth": "3"}.items():
        assert typed("bible", "set", f"items.bell.{name}", value, "--from", 1).code == 0
    lines = {"rung: yes", "depth: 3"}
    output = typed("bible", "show", "bell", "--at", 2).out
    assert lines <= {line.strip() for line in output.splitlines()}
    rows = rows_of("bible", Session.open(book, {}), 2)
    assert lines <= {said.text for row in rows for line in row.details() for said in line}


@pytest.mark.parametrize("path", ["joss", "weather.today", "characters.Joss.alive", "../x.y"])
def test_a_path_that_is_none_is_refused(book: Path, typed: Typed, path: str) -> None:
    before = tree(book)
    assert typed("bible", "set", path, "false", "--from", 2).code == 2
    assert tree(book) == before


def test_a_name_is_changed_everywhere_but_in_the_slug(book: Path, typed: Typed) -> None:
    # req: G2
    contract = {
        "chapter": 2,
        "volume": 1,
        "title": "Joss goes",
        "storyline_id": "main",
        "objectives": ["Joss rows away"],
        "characters": ["joss"],
    }
    path = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(book, path, contract)
    secret = {"id": "oar", "fact": "Joss broke it.", "phrases": ["Joss broke the oar"]}
    put(book, "world/secrets.json", {"secrets": [secret]})
    put(book, "storylines/main/memory.md", "Joss owes money.\n")
    before = tree(book)
    preview = typed("bible", "rename", "Joss", "Niall", "--dry-run", "--json").json
    assert tree(book) == before
    done = typed("bible", "rename", "Joss", "Niall", "--json").json
    assert done["paths"] == preview["paths"]
    assert done["slug"] == "joss"
    plan = json.loads((book / path).read_text("utf-8"))
    assert (plan["objectives"], plan["characters"]) == (["Niall rows away"], ["joss"])
    assert "Niall broke the oar" in (book / "world/secrets.json").read_text("utf-8")
    assert "Niall owes" in (book / "storylines/main/memory.md").read_text("utf-8")
    assert "Joss rows." in (book / "chapters/chapter-001.md").read_text("utf-8")
    assert typed("bible", "show", "joss", "--json").json["name"] == "Niall"
    typed("replace", "--undo")
    typed("bible", "rename", "Joss", "Niall", "--prose")
    prose = (book / "chapters/chapter-001.md").read_text("utf-8")
    assert "Niall rows." in prose
    assert "Jossamine" in prose


def test_a_name_somebody_else_has_is_refused(book: Path, typed: Typed) -> None:
    before = tree(book)
    assert typed("bible", "rename", "Joss", "Drowned Bell").code == 2
    assert typed("bible", "rename", "Nobody", "Niall").code == 2
    assert tree(book) == before
