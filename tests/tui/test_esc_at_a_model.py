"""Esc while a model is waited for: the way back is free at once, and no text is lost.

The answer is held until the test ends; the screen says that Esc stops it, and it does.
"""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from studio.pipeline.beginning.steps import open_beginning
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.tui.screen import StudioScreen
from studio.tui.screens.ask import Ask, AskText, Choose, Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.plan_proposal import PlanProposal
from studio.tui.screens.form import FormScreen
from studio.tui.screens.memory import MemoryScreen
from studio.tui.screens.rebuild import RebuildScreen
from studio.tui.screens.versions import VersionsScreen
from tests.fake_messages import Asked, Rule
from tests.pipeline.flows import SCENES, Desk, Kind, Model, book_of, judged, kind_of, unrefined
from tests.pipeline.flows import directive as proposed
from tests.project.novels import put, tree
from tests.small_novels import copied_sample
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened
from tests.tui.ways_to_texts import at_the_text

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
    await studio.sees(FormScreen)
    await studio.press("ctrl+s")


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
        await studio.sees(Confirm, "at most")
        await studio.press("y")

    return bring


async def rebuild(studio: StudioPilot) -> None:
    await studio.until(lambda: "changed by hand" in studio.screen, "the notice")
    await studio.press("h")
    await studio.sees(DecisionScreen)
    await studio.choose("meaning")
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
        copied_sample(there.folder)
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
@pytest.mark.sampled
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
        in_work = ProjectStore(there.folder).checkpoint().inflight_chapter
        assert in_work or "w goes on" not in studio.told
        assert not there.server.released.is_set(), "while the answer was held"
        if wait.held in ("draft", "anew"):
            told_of_words = "written is kept" in studio.told or "of it is kept" in studio.told
            assert told_of_words is (wait.rule is HALF), "only where something was written"
        after = texts_of(there.folder)
        assert {name: after.get(name) for name in texts} == texts
        await studio.home()
    if wait.rule is HALF:
        assert (there.store.staging_of(1).scene(1) or "").startswith(SCENES[1][0][:20])
        begun = there.store.checkpoint().open_scene
        assert begun is not None
        assert (begun.number, begun.by) == (1, "stream")
        assert not there.session().kept_texts(1), "the words stand once"


def is_busy(studio: StudioPilot) -> bool:
    """Whether something runs in any screen."""
    screens = (screen for screen in studio.app.screen_stack if isinstance(screen, StudioScreen))
    return any(screen.situation().running for screen in screens)
