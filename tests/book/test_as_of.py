"""Nothing of a later chapter is told to an earlier one, whatever is asked and in which order."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from studio.book import as_of
from studio.book.as_of import StoryAt
from studio.cli.program import catch, command_line
from studio.config.load import load_settings
from studio.pipeline.chapter import view as view_module
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import Emitter
from studio.pipeline.novel import Novel
from studio.pipeline.prompting import prompt_blocks
from studio.pipeline.prompting.tools import look_ups as look_ups_module
from studio.pipeline.prompting.tools.look_ups import look_ups
from studio.project.store import ProjectStore
from studio.session import Session
from studio.tui.views.pages import memory_rows
from studio.tui.views.pages.memory_rows import rows_of
from tests.book.sentinels import SentinelBook, told_too_early
from tests.sweeps import swept

BOOKS = int(os.environ.get("STUDIO_TEST_BOOKS", "100"))
"""How many random books are tried, all but the first of them in the sweep; `dev.py memory` tries a
thousand."""
_AT_ONCE = 3


@pytest.fixture(autouse=True)
def no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)


def leaks(book: SentinelBook) -> dict[int, set[str]]:
    spoilers = {n: told_too_early(book.prompts(n), n) for n in range(1, book.chapters + 2)}
    return {number: words for number, words in spoilers.items() if words}


def a_book(folder: Path, seed: int) -> SentinelBook:
    chance = random.Random(seed)
    return SentinelBook(folder / f"book-{seed}", chance.randint(2, 5), chance)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [n if n < _AT_ONCE else swept(n) for n in range(BOOKS)])
def test_no_chapter_is_told_what_comes_after_it(tmp_path: Path, seed: int) -> None:  # req: G1
    book = a_book(tmp_path, seed)
    assert leaks(book) == {}
    last = book.prompts(book.chapters + 1)
    assert all(f"secretof{n}x" in last for n in range(1, book.chapters + 1)), "and remembers all"


READ_OF_ALL = StoryAt.__dict__["entries"].func
OPEN_DOORS: dict[str, tuple[object, str, Any]] = {
    "state": (StoryAt, "state_before", property(lambda self: self._store.state())),
    "promises": (
        StoryAt,
        "entries",
        property(lambda self: READ_OF_ALL(StoryAt(self._store, self.chapter + 99))),
    ),
    "memory": (StoryAt, "memory", lambda self, line: self._store.memory(line)),
    "memory of the line": (as_of, "memory_before", lambda store, line, *_: store.memory(line)),
}
"""Each way to the story with the chapter taken away."""


@pytest.mark.sampled
@pytest.mark.parametrize("door", OPEN_DOORS)
def test_with_the_chapter_taken_away_the_test_above_fails(
    tmp_path: Path, door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test that cannot fail shows nothing: each door is left open once."""
    monkeypatch.setattr(*OPEN_DOORS[door])
    assert any(leaks(a_book(tmp_path, seed)) for seed in range(4))


def looked_up(book: SentinelBook, chapter: int) -> str:
    tools = look_ups(book.store, book.store.staging_of(chapter), chapter, 1)
    everything = [
        ("find_world", {"name": "lamp-room"}),
        ("find_character", {"name": "mara"}),
        ("find_summary", {"about": "summary"}),
        ("find_state", {"about": "key"}),
    ]
    return "\n".join(tools[name].answer(args) for name, args in everything)


def seen_by_a_run(book: SentinelBook, chapter: int) -> str:
    view = ChapterView(
        novel=Novel(book.store, load_settings(book.folder, {}), lambda emit: None),
        gateway=None,
        contract=book.contract(chapter),
        checkpoint=book.store.checkpoint(),
        emit=Emitter(lambda event: None),
        text=None,
    )
    story = view.story
    words = [story.memory("main"), story.memory("sea"), str(story.state.tree)]
    return "\n".join([*words, *story.summaries(range(1, book.chapters + 2)).values()])


def on_the_page(book: SentinelBook, chapter: int) -> str:
    rows = rows_of("bible", Session.open(book.folder, {}), chapter)
    return "\n".join(said.text for row in rows for line in row.details() for said in line)


def by_command(book: SentinelBook, chapter: int) -> str:
    command = ["bible", "show", "lamp-room", "--at", str(chapter), "--json"]
    with redirect_stdout(StringIO()) as said:
        assert catch(command_line, [*command, "--project", str(book.folder)]) == 0
    return said.getvalue()


CALL_SITES: dict[str, tuple[ModuleType, Callable[[SentinelBook, int], str]]] = {
    "prompts": (prompt_blocks, SentinelBook.prompts),
    "look-ups": (look_ups_module, looked_up),
    "runs": (view_module, seen_by_a_run),
    "the app's bible": (memory_rows, on_the_page),
    "bible show": (as_of, by_command),
}
"""Whoever asks for the story as of a chapter that somebody names: its module, and what it tells."""


@pytest.mark.parametrize("site", CALL_SITES)
def test_each_call_site_names_its_chapter_and_without_it_would_tell_too_much(
    tmp_path: Path, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: G1
    module, tells = CALL_SITES[site]
    book = a_book(tmp_path, 3)
    chapters = range(1, book.chapters + 1)
    assert not any(told_too_early(tells(book, n), n) for n in chapters)
    # Where a command fetches the class when it runs, it is taken from its own module; prompts and
    # look-ups have one of their own, which knows what the author decided.
    own = "StoryAsDecided" if hasattr(module, "StoryAsDecided") else "StoryAt"
    there = module if hasattr(module, own) else as_of
    forgetful = {"__init__": _forgets_the_chapter}
    monkeypatch.setattr(there, own, type("OfTheEnd", (getattr(there, own),), forgetful))
    assert any(told_too_early(tells(book, n), n) for n in chapters), "the argument decides"


def _forgets_the_chapter(self: Any, store: ProjectStore, chapter: int, *more: Any) -> None:
    type(self).__mro__[1].__init__(self, store, chapter + 99, *more)


def test_summaries_end_before_the_chapter(tmp_path: Path) -> None:  # req: G1
    story = StoryAt(a_book(tmp_path, 1).store, 2)
    assert list(story.summaries(range(1, 9))) == [1]
