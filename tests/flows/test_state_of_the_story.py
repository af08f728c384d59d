"""What the state of the story takes over, and what it does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import studio
from tests.fake_messages import Asked, FakeMessages, Rule

CHAPTER = "# {}\n\nMara climbed to the lamp room and counted {} steps.\n\nThe glass was cold.\n"


class Book:
    """A new novel whose chapters are the author's own, before a summarizer that says `ops`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ops: list[dict[str, Any]] = []
        self.fake = FakeMessages(answering=self._answer)
        assert studio("new", folder, "--title", "The Bell", "--language", "en").code == 0

    def _answer(self, asked: Asked) -> Rule | None:
        if asked.schema is None or "ops" not in asked.schema["properties"]:
            return None
        return Rule(value={"summary": "Mara climbs.", "ops": self.ops})

    def commit(self, number: int, *ops: tuple[str, str, Any]) -> None:
        self.ops = [{"op": op, "path": path, "value": value} for op, path, value in ops]
        draft = self.folder.parent / f"own-{number}.md"
        draft.write_text(CHAPTER.format(f"Night {number}", number), "utf-8")
        environ = {"ANTHROPIC_BASE_URL": self.fake.url, "ANTHROPIC_API_KEY": "k"}
        typed = ("write", "--draft", draft, "--review", "reject")
        ended = studio(*typed, cwd=self.folder, environ=environ)
        assert ended.code == 0, ended.err

    def read(self, path: str) -> Any:
        return json.loads((self.folder / path).read_text("utf-8"))


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    made = Book(tmp_path / "book")
    with made.fake:
        yield made


@pytest.mark.sweep
def test_a_promise_the_state_refuses_is_no_event(book: Book) -> None:
    book.commit(1, ("foreshadow", "bell", "plant"), ("foreshadow", "ghost", "resolve"))
    book.commit(2, ("foreshadow", "bell", "plant"))
    assert set(book.read("state/current-state.json")["active_foreshadowing"]) == {"bell"}
    promises = {p["id"]: p for p in book.read("foreshadowing/global.json")["promises"]}
    assert set(promises) == {"bell"}, "a promise nobody planted is in the book's list"
    assert (promises["bell"]["status"], promises["bell"]["last"]) == ("planted", 1)


def test_who_appeared_last_is_known_where_a_model_summarizes(book: Book) -> None:
    person = {"schema_version": 1, "id": "mara", "name": "Mara"}
    active = book.folder / "characters/active"
    active.mkdir(parents=True, exist_ok=True)
    (active / "mara.json").write_text(json.dumps(person), "utf-8")
    book.commit(1, ("set", "characters.mara.mood", "wary"))
    mara = book.read("state/current-state.json")["characters"].get("mara", {})
    assert mara.get("last_seen") == 1
