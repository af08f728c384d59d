"""Esc while a disk, a network or a long book is waited for: the way back is free at once.

What is waited for is held until the test lets it go.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from textual.screen import Screen

from studio.book.authorship import Authorship
from studio.config.recent import LastPlace
from studio.exchange.import_ import commit
from studio.pipeline.rebuild import Rebuilder
from studio.pipeline.volume import figures
from studio.project.planning.imports import waiting_chapters
from studio.project.store import ProjectStore
from studio.session import Session
from studio.tui.board import BoardScreen
from studio.tui.desk.parts.pages import ChapterPages
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens import history, memory
from studio.tui.screens.ask import Ask, AskPath, Choose
from studio.tui.screens.find import FindScreen
from studio.tui.screens.history import HistoryScreen
from studio.tui.screens.importing import ImportScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.memory import MemoryScreen
from studio.tui.screens.page import PageScreen
from studio.tui.screens.rebuild import RebuildScreen
from studio.tui.screens.work_in_progress import WorkInProgress
from tests.tui.conftest import OpenDesk
from tests.tui.environs import no_server
from tests.tui.gallery import novel
from tests.tui.import_words import preview, text_file
from tests.tui.pilot import PATIENCE, StudioPilot, opened


class Held:
    """What somebody waits for until the test lets it go."""

    def __init__(self) -> None:
        self.is_waited_for = threading.Event()
        self.may_go = threading.Event()
        self.has_ended = threading.Event()

    def __call__(self, *_: Any, **__: Any) -> Any:
        self.is_waited_for.set()
        self.may_go.wait(PATIENCE)
        self.has_ended.set()
        raise OSError("nobody waits for it any more")

    async def is_left_by(self, studio: StudioPilot, key: str, place: type[Screen[Any]]) -> None:
        """A key leads to another place while this is still waited for."""
        await studio.press(key)
        await studio.sees(place)
        assert not self.has_ended.is_set()
        self.may_go.set()


@pytest.fixture
def held() -> Iterator[Held]:
    one = Held()
    yield one
    one.may_go.set()


class Reading(NamedTuple):
    """A page that is read: what reads it, its key, the page, and where Esc leads."""

    owner: Any
    name: str
    action: str
    page: type[Screen[Any]]
    words: str = ""
    """What the page says meanwhile."""


READINGS = {
    "the board": Reading(BoardScreen, "_read", "desk.board", BoardScreen, "Looking at the"),
    "an evaluation": Reading(
        ChapterPages, "_evaluation", "desk.evaluation", PageScreen, "is being read"
    ),
    "a summary": Reading(ChapterPages, "_summary", "desk.summary", PageScreen, "is being read"),
    "the volume": Reading(figures, "volume_standing", "desk.volume", PageScreen, "is being read"),
    "history": Reading(history, "read_past", "desk.history", HistoryScreen, "Reading"),
    "a rebuild": Reading(Rebuilder, "preview", "desk.rebuild", RebuildScreen, "Looking at the"),
    "the bible": Reading(memory, "rows_of", "desk.bible", MemoryScreen, "Looking at the"),
    "promises": Reading(memory, "rows_of", "desk.promises", MemoryScreen, "Looking at the"),
}


# req: U2
@pytest.mark.sweep
@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
async def test_esc_leaves_every_page_that_is_still_read(
    reading: Reading, project: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading.owner, reading.name, held)
    async with opened(project, no_server(), (80, 24)) as studio:
        await studio.on_chapter(2)
        await studio.ask_for(reading.action)
        await studio.sees(reading.page, reading.words)
        await studio.until(held.is_waited_for.is_set, "the reading")
        assert "Esc" in studio.screen.splitlines()[-1]
        await held.is_left_by(studio, "escape", DeskScreen)


# req: U2 H3
@pytest.mark.sweep
async def test_esc_leaves_a_search(
    project: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.tui.screens.find.find", held)
    async with opened(project, no_server(), (80, 24)) as studio:
        await studio.ask_for("desk.find")
        await studio.sees(FindScreen)
        await studio.type("Mara")
        await studio.until(held.is_waited_for.is_set, "the search")
        await held.is_left_by(studio, "escape", DeskScreen)


WRITINGS = {"desk.export": (ProjectStore, "chapter"), "desk.statement": (Authorship, "of")}
"""What reads each chapter of the book."""


# req: U2 H3
@pytest.mark.sweep
@pytest.mark.parametrize("action", WRITINGS)
async def test_esc_ends_an_export_with_nothing_written(
    action: str, project: Path, held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, owner, name = tmp_path / "out.md", *WRITINGS[action]
    read, is_exporting = getattr(owner, name), threading.Event()

    def slow(store: Any, number: int) -> Any:
        if is_exporting.is_set() and number == 2:
            held.is_waited_for.set()
            held.may_go.wait(PATIENCE)
        return read(store, number)

    async with opened(project, no_server(), (80, 24)) as studio:
        monkeypatch.setattr(owner, name, slow)
        await studio.ask_for(action)
        if action == "desk.export":
            await studio.answer(Choose)
            await studio.answer(Choose)
        is_exporting.set()
        await studio.answer(AskPath, str(out))
        await studio.until(held.is_waited_for.is_set, "the second chapter")
        await studio.sees(WorkInProgress, "Esc stops; nothing is changed yet")
        await studio.press("escape")
        held.may_go.set()
        await studio.until(lambda: "Stopped; nothing was written." in studio.told, "the end")
        await studio.sees(DeskScreen)
    assert not out.exists()


# req: U2 H4
@pytest.mark.sweep
@pytest.mark.parametrize("is_new", [True, False], ids=["a new novel", "a novel"])
async def test_esc_ends_an_import_between_two_chapters(
    is_new: bool, held: Held, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, there = text_file(own_home), own_home / "night"
    if not is_new:
        there = novel(there, "ko").layout.folder
    put_waiting = commit.put_waiting

    def slow(layout: Any, number: int, text: str) -> None:
        if not held.is_waited_for.is_set():
            held.is_waited_for.set()
            held.may_go.wait(PATIENCE)
        put_waiting(layout, number, text)

    monkeypatch.setattr(commit, "put_waiting", slow)
    async with opened(None, no_server(), (80, 24)) as studio:
        await preview(studio, file)
        await studio.press("b")
        await studio.answer(AskPath, str(there))
        if is_new:
            await studio.answer(Ask, "Night")
            await studio.answer(Choose)
        await studio.answer(Choose, 0)
        if not is_new:
            await studio.answer(Choose, 0)  # what becomes of the plans at these places
        await studio.until(held.is_waited_for.is_set, "the first chapter")
        await studio.sees(ImportScreen, "Esc stops")
        await studio.press("escape")
        await studio.sees(ImportScreen, "Stopping after this chapter")
        held.may_go.set()
        words = "nothing was brought in" if is_new else "1 chapter is in"
        await studio.until(lambda: f"Stopped; {words}" in studio.told, "the end")
        assert there.exists() is not is_new
        if is_new:
            return
        await studio.press("b")
        await studio.answer(AskPath, str(there))
        await studio.answer(Choose, 0)
        await studio.answer(Choose, 0)  # what the two that are left take and are called
        await studio.sees(DeskScreen)
    assert len(waiting_chapters(ProjectStore(there).layout)) == 3


# req: U2
async def test_esc_leaves_files_that_are_still_read(
    held: Held, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.tui.screens.importing.read_plan", held)
    async with opened(None, no_server(), (80, 24)) as studio:
        await studio.press("i")
        await studio.answer(AskPath, str(text_file(own_home)))
        await studio.sees(ImportScreen, "Reading manuscript.txt")
        await studio.until(held.is_waited_for.is_set, "the reading")
        await held.is_left_by(studio, "escape", LauncherScreen)


# req: U2 M9
async def test_esc_ends_a_run_while_the_name_of_the_server_is_looked_up(
    desk: OpenDesk, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = desk()
    environ = {**there.environ, "ANTHROPIC_BASE_URL": "http://model.example"}
    async with opened(there.folder, environ, (80, 24)) as studio:
        monkeypatch.setattr(socket, "getaddrinfo", held)
        await studio.press("w")
        await studio.until(held.is_waited_for.is_set, "the look-up")
        await studio.press("escape")
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the end")
        assert not held.may_go.is_set()
        held.may_go.set()


# req: U2
@pytest.mark.sweep
@pytest.mark.parametrize("key", ["escape", "ctrl+o"])
async def test_a_novel_that_is_still_opened_can_be_left(
    key: str, project: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = LastPlace(chapter=1, paragraph=(2, 1), tab="plan", outline_width=20)
    async with opened(None, no_server(), (80, 24)) as studio:
        studio.app.memory = studio.app.memory.with_place(project, place)
        monkeypatch.setattr(Session, "open", held)
        studio.app.go_to(project)
        await studio.sees(DeskScreen)
        await studio.until(held.is_waited_for.is_set, "the opening")
        await studio.until(lambda: "Esc Back" in studio.screen, "the way back")
        await held.is_left_by(studio, key, LauncherScreen)
        assert studio.app.memory.place(project) == place
        monkeypatch.undo()
        studio.app.go_to(project)
        await studio.until(lambda: studio.desk.is_prepared, "the novel")
        assert "Esc Back" not in studio.screen
