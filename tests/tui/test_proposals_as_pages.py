"""What is proposed for a book is a page: read whole, changed in place, ticked piece by piece, had
again with a wish, left out; what stands on it is what is saved."""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.events import Key
from textual.widgets import TextArea

from studio import i18n
from studio.pipeline.volume.clean_up import Leftover
from studio.pipeline.volume.clean_up import question_of as tidied
from studio.project.store import ProjectStore
from studio.project.unsaved import UnsavedForm
from studio.story.checkpoint import STEPS, Checkpoint
from studio.story.checkpoint import OrchestratorState as S
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import AskText, Choose, Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.editing.start_page import StartPage, Tick
from studio.tui.screens.form import FormInput, FormScreen
from studio.tui.widgets.lines_view import LinesView
from tests.cli.command import studio as command
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import CONTRACT, Model, block, make_novel
from tests.pipeline.volume_plan import BELL, KEY
from tests.pipeline.volume_plan import chapter as planned
from tests.project.novels import put
from tests.tui.environs import environ_of, environ_to
from tests.tui.lines import without_frames
from tests.tui.pilot import PATIENCE, StudioPilot, opened
from tests.tui.proposed_books import new_book

WHERE, WHO = "Where does it take place?", "Who is it about?"
SMALL = (80, 24)
LONG = " ".join(f"The {n}. step of the tower is worn hollow by keepers." for n in range(1, 40))
PERSON = {
    "id": "mara",
    "name": "Mara",
    "aliases": ["Mar"],
    "role": "keeper",
    "voice": "short",
    "wants": "the key",
    "fears": "the stairs",
    "always": ["counts", "listens"],
    "never": [],
    "knows": [],
    "profile": LONG,
}
WORLD = {
    "documents": [{"name": "Lamp Room", "text": LONG}],
    "rules": [{"id": "unlit", "rule": "The lamp is never lit.", "reason": "It was promised."}],
}


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    model = Model(world=Rule(value=WORLD), person=Rule(value=PERSON))
    with FakeMessages(answering=model) as fake:
        yield fake


@asynccontextmanager
async def proposed(
    folder: Path, environ: Mapping[str, str], words: str, key: str = "w", size: Any = (120, 60)
) -> AsyncIterator[StudioPilot]:
    """Opens the app at the page of a proposal that says these words."""
    async with opened(folder, environ, size) as studio:
        await studio.press(key)
        await studio.sees(StartPage, words)
        yield studio


async def ask_again(studio: StudioPilot, wish: str) -> None:
    """Has another proposal made, with a line of hers."""
    await studio.press("f9")
    await studio.sees(AskText, "Again, but")
    await studio.press(*wish, "ctrl+s")


def field(studio: StudioPilot, label_of: str) -> TextArea:
    """The field of the page whose words begin so."""
    return next(f for f in studio.app.screen.query(TextArea) if f.text.startswith(label_of))


@pytest.mark.sweep
async def test_a_proposal_is_read_whole_changed_in_place_and_saved_as_it_stands(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    folder = new_book(tmp_path / "lamps", "premise", "style", "world")
    async with proposed(folder, environ_to(tmp_path, server), WHO) as studio:
        assert "39. step" in " ".join(field(studio, "Mara\n").text.split())
        field(studio, "the stairs").load_text("the sea")
        field(studio, "counts").load_text("counts\nknocks twice")
        await studio.press("escape")
        await studio.sees(DeskScreen, WHO)
        await studio.press("d")
        await studio.sees(StartPage, "the sea")
        await studio.press("ctrl+s")
        await studio.until(
            lambda: (b := studio.store.checkpoint().beginning) and "people" in b.steps, "the step"
        )
        mara = studio.store.characters()["mara"].contract
        assert (mara.fears, mara.wants, mara.aliases) == ("the sea", "the key", ("Mar",))
        assert mara.always == ("counts", "knocks twice")
        assert LONG in (folder / "characters/active/mara.md").read_text("utf-8")


@pytest.mark.sweep
async def test_again_but_asks_the_model_with_her_line_and_what_it_said_before(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with proposed(folder, environ_to(tmp_path, server), WHERE) as studio:
        await studio.press("f9")
        await studio.sees(AskText, "Again, but")
        assert re.search(r"speak of: .* cents? \(at most \d+", without_frames(studio.screen)), (
            "its price"
        )
        await studio.press(*"Colder.", "ctrl+s")
        await studio.until(lambda: len(server.asked) == 2, "another proposal")
        await studio.sees(StartPage, WHERE)
        wish = block(server.asked[-1], "direction")
        assert wish == "Colder."
        assert "The lamp is never lit." in block(server.asked[-1], "before")
        field(studio, "The lamp is never lit.").load_text("")
        await studio.press("ctrl+s")
        await studio.until(lambda: (folder / "world/lamp-room.md").exists(), "the page")
        assert not studio.store.world_rules().rules, "what was emptied is left out"


@pytest.mark.sweep
async def test_what_she_wanted_otherwise_is_there_when_nothing_came_of_it(
    tmp_path: Path, server: FakeMessages
) -> None:
    """A kill, or Esc, between her words and the answer took them along."""
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with proposed(folder, environ_to(tmp_path, server), WHERE) as studio:
        server.answering = Model(world=Rule(mode="hold", value=WORLD))
        await ask_again(studio, "Colder.")
        await studio.until(lambda: len(server.asked) == 2, "another proposal")
        await studio.press("escape")
        await studio.until(lambda: not studio.desk.bridge.is_running, "the stop")
    server.answering = Model(world=Rule(value=WORLD))
    async with proposed(
        folder, environ_to(tmp_path, server), "Nothing came of what you wanted otherwise", key="d"
    ) as studio:
        await studio.press("f9")
        await studio.sees(AskText, "Colder.")
        await studio.press("ctrl+s")
        await studio.until(lambda: len(server.asked) == 3, "another proposal")
        await studio.sees(StartPage, WHERE)
        await studio.press("f9")
        await studio.sees(AskText, "Again, but")
        assert "Colder." not in studio.screen, "it was answered"


@pytest.mark.sweep
async def test_what_she_wrote_and_left_out_stands_in_the_next_proposal_too(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    folder = new_book(tmp_path / "lamps", "premise", "style", "world")
    async with proposed(folder, environ_to(tmp_path, server), WHO) as studio:
        field(studio, "the stairs").load_text("the sea, and whoever comes by it")
        field(studio, "short").focus()
        await studio.press("f6")
        for wish in ("Colder.", "Older."):
            asked = len(server.asked)
            await ask_again(studio, wish)
            await studio.until(lambda n=asked: len(server.asked) > n, "another proposal")
            await studio.sees(StartPage, "the sea, and whoever comes by it")
        before = block(server.asked[-1], "before")
        assert '"fears": "the sea, and whoever comes by it"' in before
        assert re.search("the author’s own words: .*`fears`", before)
        assert "left out by the author, `voice`: short" in before
        ticks = {str(t.render()) for t in studio.app.screen.query(Tick)}
        assert any(t.startswith("· Voice") for t in ticks), "it is not ticked again by itself"
        await studio.press("ctrl+s")
        await studio.until(
            lambda: (b := studio.store.checkpoint().beginning) and "people" in b.steps, "the step"
        )
        mara = studio.store.characters()["mara"].contract
        assert (mara.fears, mara.voice) == ("the sea, and whoever comes by it", "")


@pytest.mark.sweep
async def test_a_page_she_wrote_on_stays_beside_another_one_and_a_rule_is_known_by_its_id(
    tmp_path: Path,
) -> None:  # req: E2
    rules = [*WORLD["rules"], {"id": "salt", "rule": "No salt.", "reason": "It rusts."}]
    first = {"documents": WORLD["documents"], "rules": rules}
    other = {"documents": [{"name": "The Cellar", "text": "Dry."}], "rules": rules[::-1]}
    asked = 0

    def world(request: Asked) -> Rule:
        nonlocal asked
        asked += 1
        return Rule(value=first if asked == 1 else other)

    folder = new_book(tmp_path / "lamps", "premise", "style")
    with FakeMessages(answering=Model(world=world)) as server:
        async with proposed(folder, environ_to(tmp_path, server), WHERE) as studio:
            page = field(studio, "Lamp Room\n")
            page.load_text("Lamp Room\n\nTwelve hooks, one of them bent.")
            field(studio, "No salt.").load_text("No salt, and no sugar.\nIt rusts.")
            await ask_again(studio, "Colder.")
            await studio.sees(StartPage, "The Cellar")
            assert field(studio, "Lamp Room\n").text.endswith("one of them bent.")
            assert field(studio, "The lamp is never lit.")
            await studio.press("ctrl+s")
            await studio.until(lambda: (folder / "world/lamp-room.md").exists(), "the pages")
        laws = {rule.id: rule.rule for rule in ProjectStore(folder).world_rules().rules}
        assert laws == {"unlit": "The lamp is never lit.", "salt": "No salt, and no sugar."}
        assert (folder / "world/the-cellar.md").exists()


@pytest.mark.sweep
async def test_a_long_proposal_is_whole_in_every_field_and_turned_by_pages(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    folder = new_book(tmp_path / "lamps", "premise", "style", "world")
    async with proposed(folder, environ_to(tmp_path, server), WHO, size=SMALL) as studio:
        await studio.settled()
        for each in studio.app.screen.query(TextArea):
            assert each.max_scroll_y == 0, f"{each.text[:20]!r} is read whole, focused or not"
            rows = each.wrapped_document.lines
            longest = max(cell_len(part.rstrip()) for row in rows for part in row)
            assert longest <= each.content_region.width, "no last character is cut"
        rows_of_page = studio.app.screen.query_one("#form-fields")
        before = rows_of_page.scroll_offset.y
        assert before == 0
        await studio.press("pagedown")
        await studio.until(lambda: rows_of_page.scroll_offset.y > before, "the next page")
        await studio.press("pageup")
        await studio.until(lambda: rows_of_page.scroll_offset.y == before, "the page before")


@pytest.mark.sweep
async def test_a_proposal_opens_at_its_first_line(tmp_path: Path, server: FakeMessages) -> None:
    """One in which she had typed opened at the end of its first piece. One comes here while another
    page is open, in a new size of the window, with what she typed in it, and asked for again."""
    folder = new_book(tmp_path / "lamps", "premise", "style")

    async def opens_at_its_top(studio: StudioPilot, words: str = "Lamp Room") -> None:
        await studio.sees(StartPage, WHERE)
        page = studio.app.screen
        if page.focused is None:  # it has opened by itself
            assert page.query_one("#form-fields").scroll_offset.y == 0
            await studio.press("tab")
        await studio.until(
            lambda: isinstance(f := page.focused, FormInput) and f.cursor_location == (0, 0), "top"
        )
        await studio.pilot.pause()
        assert page.query_one("#form-fields").scroll_offset.y == 0
        assert words in studio.screen

    async with opened(folder, environ_to(tmp_path, server), (80, 24)) as studio:
        await studio.press("w", "f1")
        await studio.until(lambda: studio.desk.state.question is not None, "the proposal")
        if not isinstance(studio.app.screen, StartPage):
            await studio.press("escape")
        await opens_at_its_top(studio)
        for size in ((60, 18), (100, 30), (80, 24)):
            await studio.pilot.resize_terminal(*size)
            await opens_at_its_top(studio)
        await studio.press("X")
        await studio.until(lambda: field(studio, "XLamp Room") is not None, "her letter")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.press("d")
        await opens_at_its_top(studio, "XLamp Room")
        await ask_again(studio, "Colder.")
        await studio.until(lambda: len(server.asked) == 2, "another proposal")
        await opens_at_its_top(studio, "XLamp Room")


@pytest.mark.sweep
async def test_a_step_is_left_out_by_its_key_once_she_says_so(
    tmp_path: Path, server: FakeMessages
) -> None:
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with proposed(folder, environ_to(tmp_path, server), "F8 Leave the step out") as studio:
        field(studio, "The lamp is never lit.").load_text("The lamp is lit once.")
        await studio.press("f8")
        await studio.sees(Confirm, "Leave the whole step out?")
        card = without_frames(studio.screen)
        assert re.search(r"a model proposes the next step: .* cents? \(at most \d+", card), "price"
        assert card.count("opens it again") == 1, card
        await studio.press("n")
        await studio.sees(StartPage, "The lamp is lit once.")
        assert len(server.asked) == 1, "nothing was asked of a model"
        await studio.press("f8")
        await studio.sees(Confirm, "Leave the whole step out?")
        await studio.press("y")
        await studio.sees(StartPage, WHO)
        assert len(server.asked) == 2
        assert not studio.store.world_rules().rules


@pytest.mark.sweep
async def test_a_step_for_later_waits_while_she_writes(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    """After “later”, w showed the same page again, and its other answers asked a model."""
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with proposed(folder, environ_to(tmp_path, server), WHERE, size=SMALL) as studio:
        await studio.press("escape")
        await studio.sees(DeskScreen, WHERE)
        await studio.press("T")
        await studio.answer(Choose, 0)
        await studio.sees(StartPage, WHERE)
        await studio.press("escape")
        await studio.sees(DeskScreen, WHERE)
        await studio.press("w")
        await studio.sees(FormScreen, "One sentence is enough")
        await studio.press(*"The key turns.", "ctrl+s")
        await studio.until(lambda: "w writes it" in studio.told, "the plan")
        assert len(server.asked) == 1, "nobody is asked for what comes later"
        await studio.press("w")
        await studio.until(lambda: studio.store.checkpoint().inflight_chapter == 1, "the draft")
        beginning = studio.store.checkpoint().beginning
        assert beginning is not None
        assert beginning.left_out["world"].data["files"], "what was proposed waits"
        await studio.press("escape")


async def test_a_question_for_later_lets_her_write_what_she_has_planned(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    """Of a chapter that she had planned, w asked the beginning's question again after Esc."""
    folder = new_book(tmp_path / "lamps", "premise")
    put(folder, "volumes/vol-01/chapter-contracts/chapter-001.json", CONTRACT)
    async with opened(folder, environ_to(tmp_path, server), (80, 24)) as studio:
        await studio.press("w")
        await studio.sees(DecisionScreen, "How do you write?")
        await studio.press("escape")
        await studio.until(lambda: "w Write" in studio.screen, "what w does now")
        await studio.press("w")
        await studio.until(lambda: studio.store.checkpoint().inflight_chapter == 1, "the draft")
        await studio.press("escape")


@pytest.mark.sweep
async def test_a_protagonist_left_out_leads_to_the_trial_chapters(
    tmp_path: Path, server: FakeMessages
) -> None:
    folder = new_book(tmp_path / "lamps", "premise", "style", "world")
    async with opened(folder, environ_to(tmp_path, server), (120, 60)) as studio:
        await studio.press("w")
        await studio.sees(StartPage)
        await studio.press("f8")
        await studio.sees(Confirm, "Leave the whole step out?")
        await studio.press("y")
        await studio.sees(Choose, "How many chapters")
        assert not studio.store.characters()


@pytest.mark.sweep
def test_the_command_line_prints_a_proposal_whole_and_has_it_again_with_a_note(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    folder = new_book(tmp_path / "lamps", "premise", "style", "world")
    there = environ_to(tmp_path, server)
    command("start", folder, environ=there)
    page = command("decide", "--project", folder, environ=there)
    assert "39. step" in " ".join(page.out.split())
    assert "Fears:\n    the stairs" in page.out
    refused = command("decide", "again", "--project", folder, environ=there)
    assert (refused.code, "what you want otherwise" in refused.err) == (2, True)
    done = command("decide", "again", "--note", "Older.", "--project", folder, environ=there)
    assert done.code == 0
    asked = len(server.asked)
    ended = command("start", folder, "--json", environ=there)
    assert json.loads(ended.out)["id"] == "start-people"
    assert block(server.asked[-1], "direction").startswith("Older.")
    command("start", folder, environ=there)
    assert len(server.asked) == asked + 1, "the same wish is not paid for twice"


# The plan of a volume

INTRODUCES = [
    {"kind": "person", "name": "Old Tam", "line": "The ferryman, deaf in one ear."},
    {"kind": "place", "name": "The Landing", "line": "Nine rungs, the fourth missing."},
]
VOLUME = {
    "about": "The lamp is lit once.",
    "chapters": [
        planned(1, place="The Landing", promises=[{"id": "bell", "action": "plant"}]),
        planned(2, characters=["mara", "Old Tam"], must_not=["The lamp is lit."]),
        planned(3, promises=[{"id": "key", "action": "plant"}]),
    ],
    "promises": [BELL, KEY],
    "introduces": INTRODUCES,
}


@pytest.fixture
def planner() -> Iterator[FakeMessages]:
    with FakeMessages(answering=Model(volume=Rule(value=VOLUME))) as fake:
        yield fake


def unplanned(folder: Path) -> Path:
    """A novel whose volume is to be planned."""
    make_novel(folder, contract=None)
    lines = [{"id": "main", "title": "Main"}, {"id": "tide", "title": "The tide"}]
    put(folder, "storylines/storylines.json", {"schema_version": 1, "storylines": lines})
    ProjectStore(folder).save_checkpoint(Checkpoint(orchestrator_state=S.VOL_PLANNING))
    return folder


def read(folder: Path, path: str) -> Any:
    return json.loads((folder / path).read_text("utf-8"))


CONTRACTS = "volumes/vol-01/chapter-contracts/chapter-00"


@pytest.mark.sweep
async def test_a_volume_is_read_whole_changed_ticked_and_saved_as_it_stands(
    tmp_path: Path, planner: FakeMessages
) -> None:  # req: J7 E2
    folder = unplanned(tmp_path / "lamps")
    there = environ_to(tmp_path, planner)
    assert command("volume", "plan", "--chapters", 3, "--project", folder, environ=there).code == 4
    async with proposed(folder, there, "Mara climbs on night 2.", key="d") as studio:
        for words in ("Who rang the bell", "deaf in one ear", "the fourth missing", "The lamp is"):
            assert words in "".join(f.text for f in studio.app.screen.query(TextArea)), words
        second = field(studio, "Title: Night 2")
        assert "Who is there: Mara, Old Tam" in second.text
        second.load_text(
            second.text.replace("Night 2", "Slack Water")
            .replace("Mara, Old Tam", "Mara, Old Tam, Miss Wren")
            .replace("The lamp is lit.", "The lamp is lit.\nTam hears it.")
            .replace("Storyline: Main", "Storyline: The tide")
        )
        field(studio, "Who rang the bell").load_text("Who rang the bell\nPaid by: 2")
        field(studio, "Title: Night 3").focus()
        await studio.press("f6")
        field(studio, "What the key opens").focus()
        await studio.press("f6", "escape")
        await studio.sees(DeskScreen)
        assert not (folder / CONTRACTS).parent.exists(), "nothing before the answer"
        await studio.press("d")
        await studio.sees(StartPage, "Slack Water")
        await studio.press("ctrl+s")
        await studio.until(lambda: studio.desk.state.question is None, "the plan")
    plan = read(folder, f"{CONTRACTS}2.json")
    assert (plan["title"], plan["storyline_id"]) == ("Slack Water", "tide")
    assert plan["characters"] == ["mara", "old-tam", "miss-wren"]
    assert plan["must_not"] == ["The lamp is lit.", "Tam hears it."]
    assert read(folder, "characters/active/miss-wren.json")["name"] == "Miss Wren"
    assert read(folder, "characters/active/old-tam.json")["role"].endswith("deaf in one ear.")
    outline = (folder / "volumes/vol-01/outline.md").read_text("utf-8")
    assert outline.startswith("The lamp is lit once.\n\n## Chapter 1: Night 1")
    assert "## Chapter 2: Slack Water\n\nMara climbs on night 2.\n" in outline
    assert "Night 3" not in outline
    assert not (folder / f"{CONTRACTS}3.json").exists(), "what has no tick is left out"
    promises = read(folder, "volumes/vol-01/foreshadowing.json")["promises"]
    assert [(p["id"], p["due"]) for p in promises] == [("bell", 2)]
    assert read(folder, f"{CONTRACTS}1.json")["location"] == "the-landing"
    assert command("verify", "--project", folder).code == 0


@pytest.mark.sweep
async def test_who_is_not_ticked_stands_in_no_plan_of_the_volume(
    tmp_path: Path, planner: FakeMessages
) -> None:  # req: J7
    folder = unplanned(tmp_path / "lamps")
    there = environ_to(tmp_path, planner)
    command("volume", "plan", "--chapters", 3, "--project", folder, environ=there)
    async with proposed(folder, there, "Mara climbs on night 2.", key="d") as studio:
        for words in ("Old Tam", "The Landing", "Who rang the bell"):
            field(studio, words).focus()
            await studio.press("f6")
        await studio.press("ctrl+s")
        await studio.until(lambda: studio.desk.state.question is None, "the plan")
    assert read(folder, f"{CONTRACTS}2.json")["characters"] == ["mara"]
    first = read(folder, f"{CONTRACTS}1.json")
    assert "location" not in first
    assert not first.get("foreshadowing")
    assert not list((folder / "characters/active").glob("*tam*"))
    assert command("verify", "--project", folder).code == 0


@pytest.mark.sweep
async def test_another_plan_of_the_volume_is_had_with_her_line_and_left_out(
    tmp_path: Path, planner: FakeMessages
) -> None:  # req: J7
    folder = unplanned(tmp_path / "lamps")
    there = environ_to(tmp_path, planner)
    plan = ("volume", "plan", "--chapters", 3, "--direction", "More sea.", "--project", folder)
    assert command(*plan, environ=there).code == 4
    async with proposed(folder, there, "Mara climbs on night 2.", key="d") as studio:
        await studio.press("f9")
        await studio.sees(AskText, "Again, but")
        assert re.search(r"speak of: .* cents? \(at most \d+", without_frames(studio.screen)), (
            "its price"
        )
        await studio.press(*"Slower.", "ctrl+s")
        await studio.until(lambda: len(planner.asked) == 2, "another plan")
        await studio.sees(StartPage, "Mara climbs on night 2.")
        wish = block(planner.asked[-1], "direction")
        assert wish == "More sea.\n\nSlower."
        assert "Mara climbs on night 3." in block(planner.asked[-1], "before")
        task = str(planner.asked[-1].body)
        assert "from chapter 1 on as many chapters as `direction` says, 3 where" in task
        await studio.press("f8")
        await studio.sees(Confirm, "Leave all of it out?")
        await studio.press("y")
        await studio.until(lambda: studio.desk.state.question is None, "the answer")
    assert not (folder / "volumes/vol-01/outline.md").exists()


def test_the_command_line_prints_a_volume_whole_and_has_it_again_with_a_note(
    tmp_path: Path, planner: FakeMessages
) -> None:  # req: J7
    folder = unplanned(tmp_path / "lamps")
    there = environ_to(tmp_path, planner)
    plan = ("volume", "plan", "--project", folder)
    assert command(*plan, "--chapters", 3, environ=there).code == 4
    page = command("decide", "--project", folder, environ=there).out
    assert re.search(r"A model makes it: .* cents? \(at most \d+", without_frames(page)), (
        "its price"
    )
    assert "  Chapter 2, new:\n    Title: Night 2\n    What happens:\n" in page
    assert "    Must not:\n    The lamp is lit.\n" in page
    assert "  A promise, bell:\n    Who rang the bell\n    Paid by: 3\n    Reach: long" in page
    assert "    Old Tam: The ferryman, deaf in one ear.\n" in page
    asked = len(planner.asked)
    waits = command(*plan, environ=there)
    assert (waits.code, "    Title: Night 2\n" in waits.out) == (4, True)
    assert "is asked for" not in waits.err, "what waits is shown for nothing"
    assert command(*plan, "--chapters", 3, environ=there).code == 4
    assert len(planner.asked) == asked, "a plan that is not answered is not paid for twice"
    refused = command("decide", "again", "--project", folder, environ=there)
    assert (refused.code, "what you want otherwise" in refused.err) == (2, True)
    again = command("decide", "again", "--note", "Slower.", "--project", folder, environ=there)
    assert (again.code, "volume plan" in again.out) == (0, True)
    assert command(*plan, environ=there).code == 4
    assert block(planner.asked[-1], "direction").startswith("Slower.")
    assert command("decide", "leave", "--project", folder, environ=there).code == 0
    assert command("decide", "--project", folder, environ=there).out == "No decision is waiting.\n"
    state, asked = command("status", "--project", folder, environ=there).out, len(planner.asked)
    assert "This would be the plan of volume 1." in state
    assert "start --step volume" in state, "what was left out is named with its way back"
    again = command("start", "--step", "volume", "--project", folder, environ=there)
    assert (again.code, "    Title: Night 2\n" in again.out) == (4, True)
    assert command("decide", "accept", "--project", folder, environ=there).code == 0
    assert read(folder, f"{CONTRACTS}2.json")["title"] == "Night 2"
    assert len(planner.asked) == asked, "nobody is asked again for what was paid for"
    assert "--step volume" not in command("status", "--project", folder, environ=there).out
    refused = command("start", "--step", "volume", "--project", folder, environ=there)
    assert (refused.code, "was not left out" in refused.err) == (2, True)


@pytest.mark.sweep
async def test_a_volume_left_out_whole_opens_again_after_a_restart_as_she_left_it(
    tmp_path: Path, planner: FakeMessages
) -> None:  # req: E2
    """The card said that it could not be opened again, and so it was: a paid plan was gone."""
    folder = unplanned(tmp_path / "lamps")
    there = environ_to(tmp_path, planner)
    command("volume", "plan", "--chapters", 3, "--project", folder, environ=there)
    async with proposed(folder, there, "Mara climbs on night 2.", key="d") as studio:
        field(studio, "Who rang the bell").load_text("Who rang the bell twice\nPaid by: 3")
        await studio.press("f8")
        await studio.sees(Confirm, "T opens it again")
        await studio.press("n")
        await studio.sees(StartPage, "Who rang the bell twice")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.ask_for("desk.volume_plan")  # what waits is shown, and not asked for anew
        await studio.sees(StartPage, "Who rang the bell twice")
        await studio.press("f8")
        await studio.sees(Confirm, "T opens it again")
        await studio.press("y")
        await studio.until(lambda: studio.desk.state.question is None, "the answer")
    async with opened(folder, there, (120, 60)) as studio:
        await studio.press("T")
        await studio.sees(Choose, "This would be the plan of volume 1.")
        await studio.press("enter")
        await studio.sees(StartPage, "Who rang the bell twice")
        await studio.press("ctrl+s")
        await studio.until(lambda: studio.desk.state.question is None, "the plan")
    promises = read(folder, "volumes/vol-01/foreshadowing.json")["promises"]
    assert promises[0]["description"] == "Who rang the bell twice"
    assert len(planner.asked) == 1, "nobody is asked again for what was paid for"


@pytest.mark.sweep
async def test_what_may_be_tidied_is_read_and_goes_only_where_she_ticks_it(tmp_path: Path) -> None:
    folder = make_novel(tmp_path / "lamps")
    items = [
        Leftover(path="items.key", why="No chapter touched it.", stands="held_by: mara\nworn: yes"),
        Leftover(path="locations.quay", why="No chapter touched it."),
    ]
    store = ProjectStore(folder)
    question = tidied(1, items)
    store.save_checkpoint(store.checkpoint().copy_with(pending_decision=question))
    async with proposed(folder, dict(os.environ), "worn: yes", key="d") as studio:
        page = studio.app.screen
        assert isinstance(page, StartPage)
        field(studio, "items.key").focus()
        await studio.press("x", "f6")
        assert field(studio, "items.key").text.endswith("worn: yes"), "nothing is typed into it"
        marks = [t for t in page.query(Tick) if t.field.key not in page.values["left-out"].split()]
        assert [t.field.value.split(":")[0] for t in marks] == ["items.key"]
        await studio.press("ctrl+s")
        await studio.until(lambda: studio.desk.state.question is None, "the answer")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("keys", "extent", "length"),
    [
        ((), "chapters 1 to 10,", "each is about 240 words long."),
        (
            ("Twelve chapters.",),
            "from chapter 1 on as many chapters as `direction` says, 10 where it does not,",
            "unless `direction` says otherwise.",
        ),
        (("Fog.", "tab", "3", "tab", "800"), "chapters 1 to 3,", "each is about 800 words long."),
    ],
    ids=["nothing", "in the wish", "in the form"],
)
async def test_how_many_chapters_and_how_long_is_asked_with_the_volume(
    tmp_path: Path, planner: FakeMessages, keys: tuple[str, ...], extent: str, length: str
) -> None:
    folder = unplanned(tmp_path / "lamps")
    async with opened(folder, environ_to(tmp_path, planner), (120, 60)) as studio:
        await studio.ask_for("desk.volume_plan")
        await studio.sees(FormScreen, "Ctrl+S Plan it")
        for typed in keys:
            if typed == "tab":
                await studio.press("tab", "ctrl+a")
            else:
                await studio.press(*typed)
        await studio.press("ctrl+s")
        await studio.sees(StartPage, "Mara climbs on night 2.")
        (asked,) = planner.asked
        assert extent in str(asked.body)
        assert length in str(asked.body)
        await studio.press("ctrl+s")
        await studio.until(lambda: studio.desk.state.question is None, "the plan")
    plans = [read(folder, f"{CONTRACTS}{n}.json").get("target_length") for n in (1, 2, 3)]
    assert plans == [800 if "800" in keys else None] * 3


def in_sight(studio: StudioPilot) -> TextArea:
    """The field with the cursor, which must be in sight."""
    fields = studio.app.screen.query_one("#form-fields").region
    present = studio.app.focused
    assert isinstance(present, TextArea)
    assert fields.overlaps(present.region), f"{present.text[:40]!r} is out of sight"
    return present


@pytest.mark.sweep
async def test_a_price_is_never_cut_where_a_language_has_no_spaces(tmp_path: Path) -> None:
    from studio.pipeline.beginning.files import ProposedFiles
    from studio.pipeline.beginning.steps import question_of

    folder = new_book(tmp_path / "lamps", "premise", "style")
    unsaved = UnsavedForm(ProjectStore(folder), "priced")
    files = ProposedFiles({"world/lamp-room.md": "# Lamp Room\n"}, by_model=True)
    i18n.use("zh")
    price = "约 $0.05（最多 $0.20）"

    async def take(_words: object) -> None:
        return None

    async with opened(folder, environ_of(tmp_path), (80, 24)) as studio:
        for step in STEPS:
            page = StartPage(unsaved, question_of(step, files, price), take)
            studio.app.push_screen(page)
            await studio.sees(StartPage, "PageDown")
            hint = page.query_one("#form-hint")
            rows = [hint.render_line(y).text.rstrip() for y in range(hint.size.height)]
            assert price.replace(" ", "") in "".join(rows).replace(" ", ""), rows


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("steps", "question", "is_asked"),
    [((), "What is the book?", False), (("premise", "style"), WHERE, True)],
)
async def test_that_a_model_is_asked_is_said_only_where_one_is(
    tmp_path: Path,
    server: FakeMessages,
    monkeypatch: pytest.MonkeyPatch,
    steps: tuple[str, ...],
    question: str,
    is_asked: bool,
) -> None:
    pages: list[str] = []
    show = LinesView.show

    def note(self: LinesView, lines: Any, *more: Any, **named: Any) -> None:
        pages.append(str(lines))
        show(self, lines, *more, **named)

    monkeypatch.setattr(LinesView, "show", note)
    said, answering = threading.Event(), server.answering

    def answer_once_it_is_said(asked: Asked) -> Rule:
        said.wait(PATIENCE)  # an answer that comes at once leaves nothing to wait for
        assert answering is not None
        return answering(asked)

    server.answering = answer_once_it_is_said
    folder = new_book(tmp_path / "lamps", *steps)
    async with opened(folder, environ_to(tmp_path, server), (120, 36)) as studio:
        if is_asked:  # her own question opens by itself
            await studio.settled()
            await studio.press("w")
            await studio.until(lambda: any("The model is asked." in p for p in pages), "it")
            said.set()
        await studio.until(lambda: question in studio.screen, "the question")
        assert any("The model is asked." in lines for lines in pages) is is_asked
    assert bool(server.asked) is is_asked


@pytest.mark.sweep
async def test_a_key_acts_on_the_piece_in_sight_after_the_page_was_turned(
    tmp_path: Path, server: FakeMessages
) -> None:
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with proposed(folder, environ_to(tmp_path, server), WHERE, size=SMALL) as studio:
        await studio.press("tab")
        first = studio.app.focused
        await studio.press("pagedown")
        await studio.press("pagedown")
        await studio.until(lambda: studio.app.focused is not first, "another piece")
        piece = in_sight(studio)
        assert piece.text != LONG
        await studio.press("f6")
        page = studio.app.screen
        assert isinstance(page, StartPage)
        (name,) = page._left_out
        assert piece.id == f"field-{name}"
        assert "left out" in studio.screen
        await studio.until(lambda: "F6 takes it again" in studio.screen, "the way back")
        await studio.press("f6")
        assert not page._left_out
        await studio.press("pageup", "pageup")
        assert in_sight(studio) is first


@pytest.mark.sweep
@pytest.mark.parametrize("arrival", ["one by one", "in one read"])
async def test_keys_typed_ahead_tick_the_pieces_they_were_typed_for(
    tmp_path: Path, planner: FakeMessages, arrival: str
) -> None:
    folder = unplanned(tmp_path / "lamps")
    async with opened(folder, environ_to(tmp_path, planner), (80, 24)) as studio:
        await studio.ask_for("desk.volume_plan")
        await studio.sees(FormScreen, "Ctrl+S Plan it")
        await studio.press("ctrl+s")
        await studio.sees(StartPage, "Mara climbs on night 2.")
        page = studio.app.screen
        assert isinstance(page, StartPage)
        names = [field.field.key for field in page.query(FormInput)]
        assert page.fields.max_scroll_y > page.fields.size.height, "a page of one window"
        turned = names[1::2]
        await studio.press("tab")
        time = Key("tab", None).time
        for name in names:  # without a look in between
            for key in ("f6", "tab") if name in turned else ("tab",):
                event = Key(key, None)
                if arrival == "in one read":
                    event.time = time
                studio.app.post_message(event)
        top = page.query(FormInput).first()  # where the cursor is before the first of them too
        await studio.until(lambda: len(page._left_out) == len(turned), "the pieces")
        await studio.until(lambda: studio.app.focused is top, "the top")
        assert sorted(page._left_out) == sorted(turned)


@pytest.mark.sweep
async def test_a_key_acts_on_the_piece_in_sight_after_the_wheel_was_turned(
    tmp_path: Path, server: FakeMessages
) -> None:
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with proposed(folder, environ_to(tmp_path, server), WHERE, size=SMALL) as studio:
        page = studio.app.screen
        assert isinstance(page, StartPage)
        await studio.press("tab")
        first = studio.app.focused
        assert isinstance(first, FormInput)
        end = page.fields.max_scroll_y
        page.fields.scroll_to(y=end, animate=False)  # as the wheel does
        await studio.until(lambda: page.fields.scroll_y == end, "the end of the page")
        await studio.press("f6")
        piece = in_sight(studio)
        assert piece is not first
        (name,) = page._left_out
        assert piece.id == f"field-{name}"


@pytest.mark.sweep
@pytest.mark.parametrize("keys", [("down",), ("ctrl+end",), ("pagedown", "ctrl+end")])
async def test_a_piece_longer_than_the_window_is_read_to_its_end_from_its_top(
    tmp_path: Path, server: FakeMessages, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    monkeypatch.setitem(PERSON, "profile", f"It begins.\n\n{LONG}\n\n{LONG}\n\nIt ends here.")
    folder = new_book(tmp_path / "lamps", "premise", "style", "world")
    async with proposed(folder, environ_to(tmp_path, server), WHO, size=SMALL) as studio:
        last = [*studio.app.screen.query(FormInput)][-1]
        while studio.app.focused is not last:
            await studio.press("tab")
        await studio.until(lambda: last.cursor_location == (0, 0), "the top of the piece")
        await studio.until(lambda: "It begins." in studio.screen, "its first line")
        rows = last.size.height - 1 if keys == ("down",) else 1
        await studio.press(*keys * rows)
        await studio.until(lambda: "It ends here." in studio.screen, "the end of the piece")
        assert studio.app.focused is last


@pytest.mark.sweep
async def test_what_is_typed_at_the_end_of_a_long_piece_is_in_sight(
    tmp_path: Path, server: FakeMessages
) -> None:
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with proposed(folder, environ_to(tmp_path, server), WHERE, size=SMALL) as studio:
        assert "quay" not in studio.screen
        await studio.press("tab", *"quay")
        await studio.until(lambda: "quay" in studio.screen, "what was typed")


@pytest.mark.sweep
async def test_what_she_left_out_and_is_not_proposed_again_stands_as_left_out(
    tmp_path: Path,
) -> None:  # req: E2
    salt = {"id": "salt", "rule": "No salt.", "reason": "It rusts."}
    first = {"documents": WORLD["documents"], "rules": [*WORLD["rules"], salt]}
    other = {"documents": [{"name": "The Cellar", "text": "Dry."}], "rules": WORLD["rules"]}
    answers = [first, other]
    folder = new_book(tmp_path / "lamps", "premise", "style")
    with FakeMessages(
        answering=Model(world=lambda _: Rule(value=answers.pop(0) if answers else other))
    ) as server:
        async with proposed(folder, environ_to(tmp_path, server), WHERE) as studio:
            for words in ("Lamp Room", "No salt."):
                field(studio, words).focus()
                await studio.press("f6")
            await ask_again(studio, "Colder.")
            await studio.sees(StartPage, "The Cellar")
            texts = {f.field.key: f.text for f in studio.app.screen.query(TextArea)}
            unticked = [
                texts[tick.field.key]
                for tick in studio.app.screen.query(Tick)
                if str(tick.render()).startswith("·")
            ]
            assert [words.split("\n")[0] for words in unticked] == ["Lamp Room", "No salt."]
            await studio.press("ctrl+s")
            await studio.until(lambda: (folder / "world/the-cellar.md").exists(), "the page")
        assert [rule.id for rule in ProjectStore(folder).world_rules().rules] == ["unlit"]
        assert not (folder / "world/lamp-room.md").exists()


@pytest.mark.sweep
async def test_what_she_left_out_of_a_volume_is_left_out_of_the_next_plan_until_she_ticks_it(
    tmp_path: Path, planner: FakeMessages
) -> None:  # req: J7
    folder = unplanned(tmp_path / "lamps")
    there = environ_to(tmp_path, planner)
    assert command("volume", "plan", "--chapters", 3, "--project", folder, environ=there).code == 4
    async with proposed(folder, there, "Mara climbs on night 2.", key="d") as studio:
        field(studio, "What the key opens").focus()
        await studio.press("f6")
        await ask_again(studio, "Slower.")
        await studio.until(lambda: len(planner.asked) == 2, "another plan")
        await studio.sees(StartPage, "Mara climbs on night 2.")
        key = field(studio, "What the key opens")
        tick = next(t for t in studio.app.screen.query(Tick) if t.field.key == key.field.key)
        assert str(tick.render()).startswith("·")
        await studio.press("escape")
        await studio.sees(DeskScreen)
    assert command("decide", "accept", "--project", folder, environ=there).code == 0
    promises = read(folder, "volumes/vol-01/foreshadowing.json")["promises"]
    assert [p["id"] for p in promises] == ["bell"]


async def test_a_step_left_to_her_is_priced_before_it_goes_on_and_opens_again_as_it_stood(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2, J6
    """F7 said no price of what a model is asked next, and the step never came back."""
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with proposed(folder, environ_to(tmp_path, server), WHERE) as studio:
        await studio.press("f7")
        await studio.sees(Confirm, "Then a model proposes the next step:")
        assert len(server.asked) == 1
        await studio.press("escape")
        await studio.sees(StartPage, WHERE)
        await studio.press("f7")
        await studio.sees(Confirm)
        await studio.press("y")
        await studio.sees(StartPage, WHO)
        await studio.press("escape")
        await studio.sees(DeskScreen)
        asked = len(server.asked)
        await studio.press("T")
        await studio.sees(Choose, WHERE)
        await studio.press(*["down"] * 3, "enter")
        await studio.sees(StartPage, "The lamp is never lit.")
        await studio.press("ctrl+s")
        await studio.until(lambda: studio.store.world_rules().rules, "the world")
        await studio.sees(DeskScreen)
        await studio.press("w")
        await studio.sees(StartPage, WHO)
        assert len(server.asked) == asked, "nobody is asked again for what was paid for"


async def test_a_sample_is_priced_before_it_is_read(tmp_path: Path, server: FakeMessages) -> None:
    folder = new_book(tmp_path / "lamps", "premise")
    async with opened(folder, environ_to(tmp_path, server), (120, 60)) as studio:
        await studio.press("w")
        await studio.sees(DecisionScreen, "How do you write?")
        await studio.choose("next")
        await studio.sees(AskText, "How do you write?")
        await studio.press(*"Nine steps.", "ctrl+s")
        await studio.sees(Confirm, "Have it read?")
        assert "A model proposes your style from it" in without_frames(studio.screen)
        assert "at most" in without_frames(studio.screen), "its price"
        await studio.press("escape")
        await studio.sees(AskText, "Nine steps.")
        await studio.press("escape")  # one step back, not out of the beginning
        await studio.sees(DecisionScreen, "How do you write?")
        await studio.choose("next")
        await studio.sees(AskText, "Nine steps.")
        assert server.asked == []


@pytest.mark.sweep
async def test_a_style_that_came_later_is_no_step_left_out(
    tmp_path: Path, server: FakeMessages
) -> None:
    """It was offered again behind T, and Enter asked a model a second time."""
    lines = dict.fromkeys(("voice", "tense", "sentence_rhythm", "diction", "dialogue"), "plain")
    lists: dict[str, object] = {"imagery": [], "do": ["Name the tool."], "avoid": []}
    answer = {**lines, **lists, "sample": "Nine steps.", "exemplars": []}
    server.answering = Model(style=Rule(value=answer))
    folder = new_book(tmp_path / "lamps", "premise", "style")
    async with opened(folder, environ_to(tmp_path, server), (120, 60)) as studio:
        await studio.press("T")
        await studio.sees(Choose, "How do you write?")
        await studio.press("escape")
        await studio.sees(DeskScreen)
        await studio.ask_for("desk.style_sample")
        await studio.sees(AskText, "How do you write?")
        await studio.press(*"Nine steps.", "ctrl+s")
        await studio.sees(Confirm)
        await studio.press("y")
        await studio.sees(StartPage)
        await studio.press("ctrl+s")
        await studio.sees(DeskScreen)
        await studio.settled()
        await studio.press("T")
        await studio.sees(Choose)
        assert "How do you write?" not in studio.screen


async def test_a_sample_outlives_a_stop_and_the_app(tmp_path: Path, server: FakeMessages) -> None:
    """The page she pasted was gone with the call that was stopped."""
    folder = new_book(tmp_path / "lamps", "premise")
    server.answering = Rule(mode="hold")
    async with opened(folder, environ_to(tmp_path, server), (120, 60)) as studio:
        await studio.ask_for("desk.style_sample")
        await studio.sees(AskText, "How do you write?")
        await studio.press(*"Nine steps.", "ctrl+s")
        await studio.sees(Confirm)
        await studio.press("y")
        await studio.until(lambda: bool(server.asked), "the call")
        await studio.press("escape")
        await studio.settled()
        await studio.ask_for("desk.style_sample")
        await studio.sees(AskText, "Nine steps.")
    async with opened(folder, environ_to(tmp_path, server), (120, 60)) as studio:
        await studio.ask_for("desk.style_sample")
        await studio.sees(AskText, "Nine steps.")


def test_a_step_left_out_at_the_command_line_opens_again_as_it_stood(
    tmp_path: Path, server: FakeMessages
) -> None:  # req: E2
    folder = new_book(tmp_path / "lamps", "premise", "style")
    place, around = ("--project", str(folder)), environ_to(tmp_path, server)
    first = command("start", *place, environ=around).out
    assert "by-hand" in first
    assert first.count("Then a model proposes the next step:") == 3, "whatever is answered"
    command("decide", "by-hand", *place, environ=around)
    command("start", *place, environ=around)
    asked = len(server.asked)
    again = command("start", "--step", "world", *place, environ=around)
    assert again.code == 4
    assert "The lamp is never lit." in again.out
    command("decide", "next", *place, environ=around)
    assert ProjectStore(folder).world_rules().rules
    assert WHO in command("start", *place, environ=around).out
    assert len(server.asked) == asked, "nobody is asked again for what was paid for"
    refused = command("start", "--step", "world", *place, environ=around)
    assert (refused.code, "was not left out" in refused.err) == (2, True)
