"""What she answers later is not asked again at w: w writes, or opens what is missing; and no key of
a book's beginning starts a call whose price does not stand before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.i18n import use
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Ask, Choose, Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.start_page import StartPage
from studio.tui.screens.form import FormScreen
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import Model, make_novel
from tests.pipeline.volume_plan import BELL, KEY
from tests.pipeline.volume_plan import chapter as planned
from tests.tui.environs import environ_to
from tests.tui.lines import without_frames
from tests.tui.pilot import opened
from tests.tui.proposed_books import new_book

VOLUME = {
    "about": "The lamp is lit once.",
    "chapters": [planned(1), planned(2), planned(3)],
    "promises": [BELL, KEY],
    "introduces": [],
}
WORLD = {"documents": [{"name": "Lamp Room", "text": "It is cold."}], "rules": []}
PRICE = re.compile(r"about .* cents? \(at most \d+")


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    answers = Model(world=Rule(value=WORLD), volume=Rule(value=VOLUME))
    with FakeMessages(answering=answers) as fake:
        yield fake


def unplanned(folder: Path) -> Path:
    """A novel whose volume is to be planned."""
    make_novel(folder, contract=None)
    ProjectStore(folder).save_checkpoint(Checkpoint(orchestrator_state=S.VOL_PLANNING))
    return folder


async def test_a_question_left_with_esc_is_not_asked_again_where_nothing_is_planned(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2 J7
    folder = new_book(tmp_path / "lamps", "premise")
    async with opened(folder, environ_to(tmp_path, server), (80, 24)) as studio:
        await studio.press("w")
        await studio.sees(DecisionScreen, "How do you write?")
        await studio.press("escape")
        await studio.until(lambda: "w Write" in studio.screen, "what w does now")
        await studio.press("w")
        await studio.sees(FormScreen, "One sentence is enough")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.press("d")
        await studio.sees(DecisionScreen, "How do you write?")
        assert len(server.asked) == 0


async def test_how_many_chapters_left_with_esc_is_not_asked_again_and_has_a_way_back(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2 J7
    folder = new_book(tmp_path / "lamps", "premise", "style", "world", "people")
    async with opened(folder, environ_to(tmp_path, server), (80, 24)) as studio:
        await studio.press("w")
        await studio.sees(Choose, "How many chapters")
        await studio.press("escape")
        await studio.until(lambda: "Begin the book" in studio.told, "the way back")
        await studio.press("w")
        await studio.sees(FormScreen, "One sentence is enough")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.ask_for("desk.begin")
        await studio.sees(Choose, "How many chapters")


async def test_the_plan_of_a_volume_left_for_later_waits_while_she_writes(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: J7
    folder = unplanned(tmp_path / "lamps")
    async with opened(folder, environ_to(tmp_path, server), (120, 40)) as studio:
        await studio.ask_for("desk.volume_plan")
        await studio.sees(FormScreen, "Ctrl+S Plan it")
        await studio.press("ctrl+s")
        await studio.sees(StartPage, "Mara climbs on night 1.")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.press("w")
        await studio.sees(FormScreen, "One sentence is enough")
        await studio.press(*"The key turns.", "ctrl+s")
        await studio.until(lambda: "w writes it" in studio.told, "the plan of her own")
        await studio.press("w")
        await studio.until(lambda: studio.store.checkpoint().inflight_chapter == 1, "the draft")
        await studio.press("escape")
        await studio.settled()
        assert "volume-1" in studio.store.checkpoint().left_out, "what was proposed waits"


async def test_the_price_of_the_plan_stands_beside_how_many_and_how_long(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: N7 E2
    folder = new_book(tmp_path / "lamps", "premise", "style", "world", "people")
    async with opened(folder, environ_to(tmp_path, server), (80, 24)) as studio:
        await studio.press("w")
        await studio.sees(Choose, "How many chapters")
        assert PRICE.search(without_frames(studio.screen)), without_frames(studio.screen)
        await studio.press("enter")
        await studio.sees(Ask, "How long is a chapter?")
        assert PRICE.search(without_frames(studio.screen)), without_frames(studio.screen)
        await studio.press("escape")
        await studio.sees(Choose, "How many chapters")
        assert len(server.asked) == 0


@pytest.mark.sweep
async def test_in_chinese_the_price_stands_behind_its_sentence_without_a_blank(
    tmp_path: Path, server: FakeMessages
) -> None:
    folder = new_book(tmp_path / "lamps", "premise", "style", "world", "people")
    use("zh")
    async with opened(folder, environ_to(tmp_path, server), (120, 36)) as studio:
        await studio.press("w")
        await studio.sees(Choose, "规划。然后由模型")


async def test_the_next_step_has_its_price_beside_w_and_before_the_palettes_action(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: N7 E2
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with opened(folder, environ_to(tmp_path, server), (80, 24)) as studio:
        await studio.until(lambda: "w Begin: about" in studio.screen, "the price beside w")
        await studio.ask_for("desk.begin")
        await studio.sees(Confirm, "A model proposes the next step")
        assert PRICE.search(without_frames(studio.screen)), without_frames(studio.screen)
        await studio.press("n")
        await studio.sees(DeskScreen)
        assert len(server.asked) == 0
        await studio.press("w")
        await studio.sees(StartPage, "Where does it take place?")
        assert len(server.asked) == 1
