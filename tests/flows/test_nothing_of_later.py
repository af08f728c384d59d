"""A chapter that is read again hears nothing of what comes after it (the installed program)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ended, studio
from tests.fake_messages import Asked, FakeMessages, Rule

TEXTS = {
    1: "# The quay\n\nMara waits at the quay.\n\nThe ferry is late.\n",
    2: "# The letter\n\nMara reads the letter by the lamp.\n\nIt is short.\n",
    3: "# The bell\n\nMara hears the bell that nobody rang.\n\nShe counts.\n",
}


class Book:
    """Three chapters of the author's own, each of which leaves a word that is its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.fake = FakeMessages(answering=self._answer)
        assert studio("new", folder, "--title", "The Bell", "--language", "en").code == 0

    def _answer(self, asked: Asked) -> Rule | None:
        if asked.schema is None or "ops" not in asked.schema["properties"]:
            return None
        said = re.search(r"Summarize chapter (\d)", asked.prompt)
        assert said
        n = said[1]
        ops: list[dict[str, Any]] = [
            {"op": "set", "path": "items.letter.mark", "value": f"delta-of-{n}"},
            {"op": "foreshadow", "path": f"promise-of-{n}", "value": "plant"},
        ]
        words = {"summary": f"summary-of-{n}", "memory": f"memory-of-{n}", "ops": ops}
        return Rule(value=words)

    def studio(self, *typed: object) -> Ended:
        environ = {"ANTHROPIC_BASE_URL": self.fake.url, "ANTHROPIC_API_KEY": "k"}
        return studio(*typed, cwd=self.folder, environ=environ)

    def prompts_since(self, start: int) -> str:
        return "\n".join(asked.prompt for asked in self.fake.asked[start:])


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    made = Book(tmp_path / "book")
    with made.fake:
        for number, text in TEXTS.items():
            draft = tmp_path / f"own-{number}.md"
            draft.write_text(text, "utf-8")
            ended = made.studio("write", "--draft", draft, "--review", "reject")
            assert ended.code == 0, ended.err
        yield made


def of_later(text: str, chapter: int) -> set[str]:
    """What a text tells of this chapter as it was or of a later one. A promise of its own is told
    by its id to the summary that is made again, so that it is not made twice."""
    text = text.replace(f"promise promise-of-{chapter}", "")
    marks = re.finditer(r"(?:summary|memory|delta|promise)-of-(\d)", text)
    return {mark[0] for mark in marks if int(mark[1]) >= chapter}


@pytest.mark.sweep
def test_a_chapter_written_again_or_rebuilt_hears_nothing_of_later_ones(
    book: Book,
) -> None:  # req: G1
    start = len(book.fake.asked)
    assert book.studio("write", "2", "--again", "--review", "reject").code == 0
    again = book.prompts_since(start)
    assert "memory-of-1" in again
    assert of_later(again, 2) == set()
    start = len(book.fake.asked)
    assert book.studio("rebuild", "2", "--json").code == 0
    assert of_later(book.prompts_since(start), 2) == set()


@pytest.mark.sweep
def test_the_line_remembers_the_new_story_and_what_came_after(book: Book) -> None:
    memory = book.folder / "storylines/main/memory.md"
    assert book.studio("rebuild", "1", "--json").code == 0
    words = memory.read_text("utf-8")
    assert "memory-of-3" in words, "the newest stays"
    assert "Chapter 1, as it reads now: summary-of-1" in words
    assert book.studio("verify").code == 0
    contract = {
        "chapter": 3,
        "volume": 1,
        "title": "The bell",
        "storyline_id": "main",
        "objectives": ["She counts"],
    }
    path = book.folder / "volumes/vol-01/chapter-contracts/chapter-003.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(contract), "utf-8")
    ended = book.studio("context", "3", "--json")
    assert ended.code == 0, ended.err
    assert of_later(ended.out, 3) == set()
    blocks = {block["id"]: block["text"] for block in json.loads(ended.out)["blocks"]}
    assert TEXTS[2].split("\n\n")[1].strip() in blocks["previous-tail"], "the one before, whole"
