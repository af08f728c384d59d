"""Esc at every wait of the app: for a model, for a long book, for a slow disk or network.

What is waited for is held until the test lets it go, and Esc must work while it is held: the
screen says that it does, the way back is free at once, and of the book nothing is lost.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from textual.screen import Screen

from studio.book.authorship import Authorship
from studio.exchange.import_ import commit
from studio.pipeline.beginning.steps import open_beginning
from studio.pipeline.rebuild.rebuild import Rebuilder
from studio.pipeline.volume import volume_standing
from studio.project.author.imports import waiting_chapters
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.session import Session
from studio.story.checkpoint import Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.tui.board.board_screen import BoardScreen
from studio.tui.desk.parts.pages import ChapterPages
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens import history, memory
from studio.tui.screens.ask import Ask, AskText, Choose, Confirm
from studio.tui.screens.ask_path import AskPath
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.plan_proposal import PlanProposal
from studio.tui.screens.find import FindScreen
from studio.tui.screens.finding.work_in_progress import WorkInProgress
from studio.tui.screens.history import HistoryScreen
from studio.tui.screens.importing.import_ import ImportScreen
from studio.tui.screens.launcher import LauncherScreen
from studio.tui.screens.memory import MemoryScreen
from studio.tui.screens.page import PageScreen
from studio.tui.screens.rebuild import RebuildScreen
from studio.tui.screens.versions import VersionsScreen
from tests.fake_messages import Asked, Rule
from tests.pipeline.flows import SCENES, Desk, Kind, Model, book_of, judged, kind_of, unrefined
from tests.pipeline.flows import directive as proposed
from tests.project.novels import put, tree
from tests.tui.conftest import OpenDesk
from tests.tui.environs import no_server
from tests.tui.gallery import novel
from tests.tui.pilot import PATIENCE, StudioPilot, opened
from tests.tui.test_importing import preview, text_file
from tests.tui.test_passage_versions import at_the_text

SAMPLE = Path(__file__).parents[2] / "sample-project"
HELD = Rule(mode="slow")
"""An answer of which nothing comes until it is let go."""
HALF = Rule(mode="hold", after=9, text="\n\n".join(SCENES[1]))
"""One of which a part comes."""
ANY = "any"
"""Whatever is asked."""
Bring = Callable[[StudioPilot], Awaitable[object]]


class Wait(NamedTuple):
    """A wait for a model: where it begins, what is held, and the keys that lead to it."""

    novel: str
    held: Kind | Literal["any"]
    bring: Bring
    rule: Rule = HELD


class Holding(Model):
    """Answers until it is asked for what is held."""

    def __init__(self, held: str, rule: Rule) -> None:
        directives = [proposed(1, 2), proposed(2, 3)]
        super().__init__(refine=unrefined, judge=judged(directives=directives))
        self.held = held
        self.rule = rule
        self.is_asked = threading.Event()
        self.is_holding = True

    def __call__(self, asked: Asked) -> Rule:
        known = kind_of(asked)
        if self.is_holding and self.held in (known, ANY):
            self.is_asked.set()
            return self.rule
        return super().__call__(asked)


# The ways to each wait for a model


async def write(studio: StudioPilot) -> None:
    await studio.press("w")


async def surgery(studio: StudioPilot) -> None:
    await studio.press("3", "a", "w")


async def another_version(studio: StudioPilot) -> None:
    await at_the_text(studio)
    await studio.press("a")
    await studio.answer(Choose)
    await studio.sees(VersionsScreen)


async def scene_again(studio: StudioPilot) -> None:
    await at_the_text(studio)
    await studio.press("A")
    await studio.answer(Choose)
    await studio.sees(VersionsScreen)


async def plan_a_chapter(studio: StudioPilot) -> None:
    await studio.ask_for("desk.propose_plan")
    await studio.answer(Ask)
    await studio.sees(PlanProposal)


async def plan_the_volume(studio: StudioPilot) -> None:
    await studio.ask_for("desk.volume_plan")
    await studio.answer(Ask)


async def begin_the_book(studio: StudioPilot) -> None:
    await studio.press("w")
    await studio.choose("next")
    await studio.sees(AskText)
    await studio.press(*"Sea", "ctrl+s")
    await studio.sees(DecisionScreen, "How do you write?")
    await studio.choose("skip")


def read_by_a_model(action: str) -> Bring:
    async def bring(studio: StudioPilot) -> None:
        await studio.ask_for(action)
        await studio.sees(MemoryScreen, "The book when")
        await studio.press("R")
        await studio.sees(Confirm, "at most $")
        await studio.press("y")

    return bring


async def rebuild(studio: StudioPilot) -> None:
    await studio.until(lambda: "changed by hand" in studio.screen, "the notice")
    await studio.press("h")
    await studio.sees(DecisionScreen)
    await studio.press("enter")
    await studio.sees(RebuildScreen, "1 call")
    await studio.ask_for("rebuild.begin")


WAITS = {
    "a draft of which nothing came": Wait("planned", "draft", write),
    "a draft in its middle": Wait("planned", "draft", write, HALF),
    "a summary": Wait("planned", "summary", write),
    "the refiner": Wait("planned", "refine", write),
    "the judge": Wait("planned", "judge", write),
    "the surgeon": Wait("in review", "surgery", surgery),
    "another version": Wait("in review", "anew", another_version),
    "a scene again": Wait("in review", "anew", scene_again),
    "a plan": Wait("planned", "plan", plan_a_chapter),
    "a plan of the volume": Wait("unplanned", "volume", plan_the_volume),
    "the world of a book that begins": Wait("begun", "world", begin_the_book),
    "what names are": Wait("sample", ANY, read_by_a_model("desk.bible")),
    "promises": Wait("sample", ANY, read_by_a_model("desk.promises")),
    "contradictions": Wait("sample", ANY, read_by_a_model("desk.continuity")),
    "a chapter read again": Wait("changed", "summary", rebuild),
}


async def novel_of(wait: Wait, there: Desk) -> None:
    """The novel as the wait finds it."""
    if wait.novel in ("sample", "begun"):
        shutil.rmtree(there.folder)
    if wait.novel == "sample":
        shutil.copytree(SAMPLE, there.folder)
        promises = {"promises": [{"id": "bell", "description": "The drowned bell", "due": 1}]}
        put(there.folder, "foreshadowing/global.json", promises)
    if wait.novel == "begun":
        create_novel(there.folder, "Salt", "en")
        open_beginning(there.folder)
    if wait.novel == "changed":
        assert (await asyncio.to_thread(there.write, review="reject")).exit_code == 0
        chapter = there.folder / "chapters/chapter-001.md"
        chapter.write_text(f"{there.text()}\nShe had seen no key at all.\n", "utf-8")
    if wait.novel == "unplanned":
        (there.folder / "volumes/vol-01/chapter-contracts/chapter-001.json").unlink()
        ProjectStore(there.folder).save_checkpoint(Checkpoint(orchestrator_state=S.VOL_PLANNING))
    if wait.novel == "in review":
        assert (await asyncio.to_thread(there.write, review="ask")).exit_code == 4


def texts_of(folder: Path) -> dict[str, str]:
    """The book, and the texts of the chapter in work."""
    files = tree(folder)
    staged = {name: sha for name, sha in files.items() if name.startswith("staging/chapters")}
    return book_of(files) | staged


# req: U2 T9
@pytest.mark.sampled(3)
@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS)
async def test_esc_ends_every_wait_for_a_model(wait: Wait, desk: OpenDesk) -> None:
    model = Holding(wait.held, wait.rule)
    model.is_holding = False
    there = desk(model)
    await novel_of(wait, there)
    model.is_holding = True
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        texts = texts_of(there.folder)
        await wait.bring(studio)
        await studio.until(model.is_asked.is_set, "the request")
        await studio.until(lambda: "Esc" in studio.screen, "that Esc stops it")
        if wait.rule is HALF:
            await studio.until(lambda: HALF.text[:20] in studio.screen, "what came")  # type: ignore[index]
        await studio.press("escape")
        await studio.until(lambda: not is_busy(studio), "the end of the wait")
        await studio.until(lambda: "topped" in studio.told + studio.screen, "that it stopped")
        assert not there.server.released.is_set(), "while the answer was held"
        after = texts_of(there.folder)
        assert {name: after.get(name) for name in texts} == texts
        await studio.home()
    if wait.rule is HALF:
        (kept,) = there.session().kept_texts(1)
        assert kept.text.startswith(SCENES[1][0][:20])


def is_busy(studio: StudioPilot) -> bool:
    """Whether something runs in any screen."""
    return any(screen.situation().running for screen in studio.app.screen_stack[1:])  # type: ignore[attr-defined]


# Waits for a disk, a network or a long book


class Held:
    """What somebody waits for until the test lets it go."""

    def __init__(self) -> None:
        self.is_waited_for = threading.Event()
        self.may_go = threading.Event()

    def __call__(self, *_: Any, **__: Any) -> Any:
        self.is_waited_for.set()
        self.may_go.wait(PATIENCE)
        raise OSError("nobody waits for it any more")


@pytest.fixture
def held() -> Iterator[Held]:
    one = Held()
    yield one
    one.may_go.set()


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of the sample novel."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "sample"))


class Reading(NamedTuple):
    """A page that is read: what reads it, its key, the page, and where Esc leads."""

    owner: Any
    name: str
    action: str
    page: type[Screen[Any]]
    words: str = ""
    """What the page says meanwhile."""


READINGS = {
    "the board": Reading(BoardScreen, "_read", "desk.board", BoardScreen, "is being looked at"),
    "an evaluation": Reading(
        ChapterPages, "_evaluation", "desk.evaluation", PageScreen, "is being read"
    ),
    "a summary": Reading(ChapterPages, "_summary", "desk.summary", PageScreen, "is being read"),
    "the volume": Reading(
        volume_standing, "volume_standing", "desk.volume", PageScreen, "is being read"
    ),
    "history": Reading(history, "read_past", "desk.history", HistoryScreen, "Reading"),
    "a rebuild": Reading(Rebuilder, "preview", "desk.rebuild", RebuildScreen, "is being looked at"),
    "the bible": Reading(memory, "rows_of", "desk.bible", MemoryScreen, "is being looked at"),
    "promises": Reading(memory, "rows_of", "desk.promises", MemoryScreen, "is being looked at"),
}


# req: U2
@pytest.mark.sampled(2)
@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
async def test_esc_leaves_every_page_that_is_still_read(
    reading: Reading, sample: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading.owner, reading.name, held)
    async with opened(sample, no_server(), (80, 24)) as studio:
        await studio.on_chapter(2)
        await studio.ask_for(reading.action)
        await studio.sees(reading.page, reading.words)
        await studio.until(held.is_waited_for.is_set, "the reading")
        assert "Esc" in studio.screen.splitlines()[-1]
        await studio.press("escape")
        await studio.sees(DeskScreen)
        assert not held.may_go.is_set(), "while it was held"
        held.may_go.set()


# req: U2 H3
async def test_esc_leaves_a_search(
    sample: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.tui.screens.find.find", held)
    async with opened(sample, no_server(), (80, 24)) as studio:
        await studio.ask_for("desk.find")
        await studio.sees(FindScreen)
        await studio.type("Mara")
        await studio.until(held.is_waited_for.is_set, "the search")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        assert not held.may_go.is_set()
        held.may_go.set()


WRITINGS = {"desk.export": (ProjectStore, "chapter"), "desk.statement": (Authorship, "of")}
"""What reads each chapter of the book."""


# req: U2 H3
@pytest.mark.parametrize("action", WRITINGS)
async def test_esc_ends_an_export_with_nothing_written(
    action: str, sample: Path, held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, owner, name = tmp_path / "out.md", *WRITINGS[action]
    read, is_exporting = getattr(owner, name), threading.Event()

    def slow(store: Any, number: int) -> Any:
        if is_exporting.is_set() and number == 2:
            held.is_waited_for.set()
            held.may_go.wait(PATIENCE)
        return read(store, number)

    async with opened(sample, no_server(), (80, 24)) as studio:
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
        await studio.sees(DeskScreen)
    assert len(waiting_chapters(ProjectStore(there).layout)) == 3


# req: U2
async def test_esc_leaves_files_that_are_still_read(
    held: Held, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.tui.screens.importing.import_.read_plan", held)
    async with opened(None, no_server(), (80, 24)) as studio:
        await studio.press("i")
        await studio.answer(AskPath, str(text_file(own_home)))
        await studio.sees(ImportScreen, "Reading manuscript.txt")
        await studio.until(held.is_waited_for.is_set, "the reading")
        await studio.press("escape")
        await studio.sees(LauncherScreen)
        assert not held.may_go.is_set()
        held.may_go.set()


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
async def test_a_novel_that_is_still_opened_can_be_left(
    sample: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(None, no_server(), (80, 24)) as studio:
        monkeypatch.setattr(Session, "open", held)
        studio.app.go_to(sample)
        await studio.sees(DeskScreen)
        await studio.until(held.is_waited_for.is_set, "the opening")
        await studio.press("ctrl+o")
        await studio.sees(LauncherScreen)
        assert not held.may_go.is_set()
        held.may_go.set()
