"""No request that a command makes for a chapter holds anything of that chapter's future."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.book.sentinels import SentinelBook, told_too_early
from tests.cli.command import studio
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.sweeps import swept

BOOKS = int(os.environ.get("STUDIO_TEST_BOOKS_BY_COMMAND", "3"))
"""How many random books are tried, all in the sweep; `dev.py memory` tries twenty."""


SHOWN = ("context", "bible")
"""What shows the story as of a chapter; other commands tell the writer of the whole book."""


def commands(chapter: int) -> Iterator[tuple[tuple[object, ...], int]]:
    """Every command that asks a model about a chapter, or shows what it would be asked; with the
    first chapter of which nothing may be told."""
    yield ("context", chapter, "--json"), chapter
    yield ("context", chapter, "--agent", "quality-oracle", "--json"), chapter
    yield ("context", chapter, "--agent", "summarizer", "--json"), chapter
    yield ("bible", "show", "lamp-room", "--at", chapter, "--json"), chapter
    passage = ("--passage", "1.1", "--mode", "regenerate", "--json")
    yield ("context", chapter, *passage), chapter
    yield ("rewrite", chapter, *passage), chapter
    yield ("continuity", chapter, "--model", "--json"), chapter + 1
    yield ("promises", "suggest", chapter, "--model", "--json"), chapter + 1
    yield ("write", chapter, "--again", "--review", "reject"), chapter
    yield ("rebuild", chapter, "--json"), chapter


def answered(asked: Asked) -> Rule | None:
    """Who reads a chapter anew finds in it the promise that was planted there."""
    chapter = re.search(r"Summarize chapter (\d+)", asked.prompt)
    if chapter is None or asked.schema is None or "ops" not in asked.schema["properties"]:
        return None
    op = {"op": "foreshadow", "path": f"p{chapter[1]}", "value": "plant", "quote": ""}
    words = {"summary": "She climbs.", "memory": "She climbed.", "ops": [op]}
    return Rule(value=words)


@pytest.mark.parametrize("seed", [swept(seed) for seed in range(BOOKS)])
def test_no_command_tells_a_chapter_of_its_future(tmp_path: Path, seed: int) -> None:  # req: G1
    chance = random.Random(seed)
    book = SentinelBook(tmp_path / "book", chance.randint(2, 3), chance)
    asked_by: set[str] = set()
    with FakeMessages(answering=answered) as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k"}
        for chapter in range(1, book.chapters + 1):
            for command, first_untold in commands(chapter):
                before = len(server.asked)
                ended = studio(*command, cwd=book.folder, environ=environ)
                prompts = [asked.prompt for asked in server.asked[before:]]
                if prompts:
                    asked_by.add(str(command[0]))
                elif command[0] in SHOWN:
                    prompts = [ended.out]
                leaks = told_too_early("\n".join(prompts), first_untold)
                assert leaks == set(), f"{command}: {ended.err}"
    assert asked_by >= {"rewrite", "continuity", "promises", "write", "rebuild"}, (
        "each of them asked"
    )
