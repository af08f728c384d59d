"""Nothing of a later chapter is told to an earlier one, whatever is asked and in which order."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from studio.book import as_of
from studio.book.as_of import StoryAt
from tests.book.sentinels import SentinelBook, told_too_early

BOOKS = int(os.environ.get("STUDIO_TEST_BOOKS", "12"))
"""How many random books are tried; BOOK 1 asks for 100 in CI's longer run and 1,000 by hand."""


@pytest.fixture(autouse=True)
def no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)


def leaks(book: SentinelBook) -> dict[int, set[str]]:
    found = {n: told_too_early(book.prompts(n), n) for n in range(1, book.chapters + 2)}
    return {number: words for number, words in found.items() if words}


def a_book(folder: Path, seed: int) -> SentinelBook:
    chance = random.Random(seed)
    return SentinelBook(folder / f"book-{seed}", chance.randint(2, 5), chance)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(BOOKS))
def test_no_chapter_is_told_what_comes_after_it(tmp_path: Path, seed: int) -> None:  # req: G1
    book = a_book(tmp_path, seed)
    assert leaks(book) == {}
    last = book.prompts(book.chapters + 1)
    assert all(f"secretof{n}x" in last for n in range(1, book.chapters + 1)), "and remembers all"


READ_OF_ALL = StoryAt.__dict__["entries"].func
OPEN_DOORS: dict[str, tuple[object, str, Any]] = {
    "state": (StoryAt, "folded", property(lambda self: self._store.state())),
    "promises": (
        StoryAt,
        "entries",
        property(lambda self: READ_OF_ALL(StoryAt(self._store, self.chapter + 99))),
    ),
    "memory": (StoryAt, "memory", lambda self, line: self._store.memory(line)),
    "memory of the line": (as_of, "memory_before", lambda store, line, n: store.memory(line)),
}
"""Each way to the story with the chapter taken away."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("door", OPEN_DOORS)
def test_with_the_chapter_taken_away_the_test_above_fails(
    tmp_path: Path, door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test that cannot fail shows nothing: each door is left open once."""
    monkeypatch.setattr(*OPEN_DOORS[door])
    assert any(leaks(a_book(tmp_path, seed)) for seed in range(4))


def test_summaries_end_before_the_chapter(tmp_path: Path) -> None:  # req: G1
    story = StoryAt(a_book(tmp_path, 1).store, 2)
    assert list(story.summaries(range(1, 9))) == [1]
