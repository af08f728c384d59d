"""A review in keys: what is taken, what is put aside, and how the chapter gets into the book."""

from __future__ import annotations

import asyncio
import re
import threading
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from textual.screen import Screen
from textual.widgets import Input

from studio import i18n
from studio.story.status import DirectiveStatus
from studio.tui.board import BoardScreen
from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.ask import Choose, Confirm, NotThis
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.versions import VersionsScreen
from studio.tui.views.key_names import shown_key
from tests.architecture import ROOT
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, Model, directive, judged, operated, unrefined
from tests.project.novels import put
from tests.tui.flow_keys import FLOWS, Keys
from tests.tui.pilot import StudioPilot, opened


def choices(**judgement: Any) -> Model:
    """A judge with proposals, and one thing that only the writer decides."""
    asked = {
        "kind": "decide",
        "issue": "Whose bell is it?",
        "options": ["Hers.", "Nobody's."],
        "scene": 1,
        "quote": "a bell rang",
    }
    return Model(judge=Rule(value={**judged(**judgement).value, "counsel": [asked]}))


FIVE = judged(
    directives=[directive(*at) for at in ((1, 2), (1, 1), (2, 2), (2, 1), (2, 3), (1, 3))]
)


@pytest.mark.sweep
async def test_the_way_into_the_book_asks_once_and_names_what_is_open(desk: OpenDesk) -> None:
    there = desk(Model(judge=FIVE))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("a")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the first")
        await studio.press("r")
        await studio.sees(NotThis)
        await studio.press("shift+tab", *"Mine.")
        assert studio.app.screen.query_one(Input).value == "Mine.", "a reason, wherever it is typed"
        await studio.press(*["backspace"] * len("Mine."))
        await studio.answer(NotThis)
        await studio.until(lambda: studio.desk.situation().pending == 3, "the second")
        statuses = {d.status for d in studio.directives.changes}
        assert DirectiveStatus.REJECTED in statuses
        await studio.press("C")
        await studio.sees(Confirm, "3 are left as they stand, undecided")
        assert "2.1 Show, don't tell “" in studio.screen
        await studio.press("n")
        assert studio.store.checkpoint().last_completed_chapter == 0
        await studio.press("C")
        await studio.sees(Confirm)
        await studio.press("y")
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter in the book"
        )
        await studio.settled()


async def test_the_question_of_a_review_has_no_surgeon_work_unasked(desk: OpenDesk) -> None:
    """Met: `d` shows the question, but with a fix accepted it began to have that made, unpriced."""
    there = desk(Model(judge=FIVE))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("3", "a")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the first")
        await studio.press("ctrl+e")
        await studio.sees(EditorScreen)
        await studio.press("ctrl+end", *"So", "ctrl+s")
        await studio.until(lambda: there.staged().read_text("utf-8").rstrip().endswith("So"), "it")
        await studio.press("escape")
        await studio.until(lambda: studio.desk.situation().changed, "her words")
        await studio.settled()
        asked = len(there.server.asked)
        await studio.press("d")
        await studio.until(
            lambda: "The question comes after the fix" in studio.told, "a word of why not"
        )
        await studio.settled()
        assert len(there.server.asked) == asked
    async with opened(there.folder, there.environ) as studio:
        await studio.press("d")
        await studio.until(lambda: "comes after the fix" in studio.told, "the same again")
        assert len(there.server.asked) == asked


async def test_a_fix_that_waits_stays_under_the_cursor(desk: OpenDesk) -> None:
    """Met: the next answer of the surgeon took the cursor along."""
    goes_on = threading.Event()

    def second(asked: Asked) -> Rule:
        goes_on.wait(60)
        return replace(operated(asked), mode="hold", after=1)

    there = desk(Model(judge=FIVE, surgery=[operated, second]))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("3", "a")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the first")
        await studio.press("a")
        await studio.until(lambda: studio.desk.situation().approved == 2, "the second")
        await studio.press("w")
        first, other = studio.directives.changes[:2]
        pane, run = studio.directives, lambda: studio.desk.state.run
        await studio.until(
            lambda: pane.changes[0].status is DirectiveStatus.APPLIED, "the first one made"
        )
        pane.go_to(first.id)
        goes_on.set()
        await studio.until(lambda: run().rewriting == other.id, "words of the second")
        assert pane.change is not None
        assert pane.change.id == first.id
        await studio.press("escape")
        await studio.settled()


async def test_a_fix_that_came_this_moment_is_read_before_it_is_kept(desk: OpenDesk) -> None:
    """Met: the run had ended, the screen still said accepted, and `a` kept its unread answer."""
    there = desk(Model(judge=FIVE))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("3", "a")
        await studio.until(lambda: studio.desk.situation().approved == 1, "the first")
        pane, before = studio.directives, studio.directives.sheet
        assert before is not None
        await studio.press("w")
        await studio.until(lambda: pane.changes[0].status is DirectiveStatus.APPLIED, "its fix")
        await studio.settled()
        pane.sheet, pane.index = before, 0
        await studio.press("a")
        await studio.until(lambda: "came just now" in studio.told, "a word of why not")
        await studio.settled()
        assert pane.changes[0].status is DirectiveStatus.APPLIED
        await studio.press("a")
        await studio.until(lambda: pane.changes[0].status is DirectiveStatus.KEPT, "it kept")


@pytest.mark.sweep
async def test_what_one_chapter_left_open_is_not_said_of_the_next(desk: OpenDesk) -> None:
    there = desk(Model(judge=[FIVE, judged(directives=[directive(1, 2)])]))
    put(
        there.folder,
        "volumes/vol-01/chapter-contracts/chapter-002.json",
        {**CONTRACT, "chapter": 2},
    )
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("C")
        await studio.sees(Confirm, "5 are left as they stand, undecided")
        await studio.press("y")
        await studio.until(lambda: studio.store.chapter_numbers() == [1], "the first chapter")
        await studio.settled()
        await studio.to_review()
        assert "Chapter 2: 1 directive waits for you" in studio.screen
        await studio.desk.show_chapter(1)
        assert "Chapter 2: The chapter is ready for you" in studio.screen
        assert "5 directives wait" not in studio.screen
        assert "[C] Into the book" not in studio.screen
        await studio.press("3")
        assert "left as it was, undecided" in studio.screen
        assert "waits for you" not in studio.screen


@pytest.mark.sweep
async def test_five_proposals_are_taken_and_the_chapter_is_in_the_book_in_six_keys(
    desk: OpenDesk,
) -> None:  # req: H4
    there = desk(Model(judge=FIVE))
    async with opened(there.folder, there.environ) as studio:
        keys = Keys(studio)
        await studio.to_review()
        fixes = studio.directives.changes
        assert len(fixes) == 5
        places = [(d.location.scene_number, d.location.paragraph_start) for d in fixes]
        assert places == sorted(places)
        assert studio.directives.index == 0
        for count in range(1, 6):
            await keys("a")
            await studio.until(lambda n=count: studio.desk.situation().approved == n, "the next")
        await keys("C")
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter in the book"
        )
        await studio.settled()
        keys.were_those_of("Five proposals taken, and the chapter in the book")


# req: H4 H6
@pytest.mark.sweep
@pytest.mark.parametrize("language", ["ko", "zh"])
async def test_a_review_has_the_same_keys_in_every_language(desk: OpenDesk, language: str) -> None:
    there = desk(Model(refine=unrefined, judge=FIVE))
    i18n.use(language)
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        keys = Keys(studio)
        await studio.write_next()
        await card(studio, keys, "x", NotThis)
        await answered(studio, keys, "enter")
        await studio.until(lambda: studio.desk.situation().pending == 4, "it is put aside")
        keys.were_those_of("A proposal put aside")
        await studio.press("k")
        await keys("u")
        await studio.until(lambda: studio.desk.situation().pending == 5, "it is back")
        keys.were_those_of("Either of them taken back")
        for count in range(1, 5):
            await studio.press("a")
            await studio.until(lambda n=count: studio.desk.situation().approved == n, "taken")
        await card(studio, keys, "C", Confirm)
        words = re.findall("[A-Za-z]{3,}", studio.screen.splitlines()[-1])
        assert not {*words} - {"Alt", "Ctrl", "Enter", "Esc"}, "words of another language"
        await answered(studio, keys, "y")
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "it is in the book"
        )
        await studio.settled()
        keys.were_those_of("Into the book, with something open")


async def card(studio: StudioPilot, keys: Keys, key: str, kind: type[Screen[Any]]) -> None:
    """A key that asks something."""
    await keys(key)
    await studio.sees(kind)


async def answered(studio: StudioPilot, keys: Keys, *pressed: str) -> None:
    """Keys that answer what is asked."""
    left = studio.app.screen
    await keys(*pressed)
    await studio.until(lambda: studio.app.screen is not left, "the end of the card")


async def test_u_takes_back_the_last_decision_though_the_cursor_has_moved_on(
    desk: OpenDesk,
) -> None:
    there = desk(Model(judge=FIVE))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        first, second = (one.id for one in studio.directives.changes[:2])
        for count in (1, 2):
            await studio.press("a")
            await studio.until(lambda n=count: studio.desk.situation().approved == n, "taken")
        for left, which in ((1, second), (0, first)):
            await studio.press("u")
            await studio.until(lambda n=left: studio.desk.situation().approved == n, "taken back")
            change = studio.directives.change
            assert change is not None
            assert change.id == which, "the cursor is where the decision was"
        await studio.press("u")
        assert "There is nothing to take back" in studio.told


# req: H4
@pytest.mark.sweep
async def test_a_proposal_takes_so_many_keys(desk: OpenDesk) -> None:
    there = desk(choices(directives=[directive(1, 1), directive(1, 2), directive(2, 2)]))
    async with opened(there.folder, there.environ) as studio:
        keys = Keys(studio)
        await studio.to_review()
        await keys("enter")
        await studio.until(lambda: "by the judge" in studio.screen, "all there is to know")
        keys.were_those_of("All there is to know of one")
        await card(studio, keys, "x", NotThis)
        await answered(studio, keys, "enter")
        await studio.until(lambda: studio.desk.situation().pending == 2, "the first put aside")
        keys.were_those_of("A proposal put aside")
        first = studio.directives.changes[0].id
        await studio.on_directive(first)
        await keys("u")
        await studio.until(lambda: studio.desk.situation().pending == 3, "it taken back")
        keys.were_those_of("Either of them taken back")
        await studio.on_directive(first)
        await card(studio, keys, "m", NotThis)
        await answered(studio, keys, "enter")
        await studio.until(lambda: studio.desk.situation().pending == 2, "the first meant")
        keys.were_those_of("One that is meant")
        assert DirectiveStatus.WAIVED in {d.status for d in studio.directives.changes}


# req: H4 H5
@pytest.mark.sweep
async def test_a_choice_the_book_and_the_board_take_so_many_keys(desk: OpenDesk) -> None:
    there = desk(choices(directives=[directive(1, 1)]))
    async with opened(there.folder, there.environ) as studio:
        keys = Keys(studio)
        await studio.to_review()
        while studio.directives.open_choice is None:
            await studio.press("j")
        await card(studio, keys, "enter", Choose)
        await card(studio, keys, "enter", Choose)
        await answered(studio, keys, "enter")
        await studio.until(lambda: studio.directives.answered_choice, "the answer")
        fix = next(d for d in studio.directives.sheet.directives if d.origin == "writer")
        assert fix.instruction == "Hers."
        keys.were_those_of("A choice only you make, answered in its place")
        await keys("u")
        await studio.until(lambda: studio.directives.open_choice, "it taken back")
        keys.were_those_of("The answer taken back")
        await card(studio, keys, "C", Confirm)
        await keys("y")
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter in the book"
        )
        await studio.settled()
        keys.were_those_of("Into the book, with something open")
        await card(studio, keys, "f4", BoardScreen)
        await studio.until(lambda: "The Lamp Room" in studio.screen, "the rows")
        await answered(studio, keys, "n", "enter")
        await studio.until(lambda: studio.desk.state.pane == "text", "the chapter")
        keys.were_those_of("The next chapter in trouble, from the board")


async def test_a_model_that_changes_no_passage_can_write_one_anew(desk: OpenDesk) -> None:
    """Met in the book for trying: another version was refused, with a flag of the shell."""
    there = desk(Model(judge=judged(directives=[])))
    await asyncio.to_thread(partial(there.write, review="ask"))
    small: Any = {"provider.endpoints": {there.server.url: {"short_prompts": True}}}
    async with opened(there.folder, there.environ, **small) as studio:
        await studio.on_chapter(1)
        await studio.settled()
        await studio.press("2", "home", "a")
        await studio.sees(Choose, "Written anew")
        await studio.until(lambda: "too small to change a passage" in studio.screen, "why not")
        assert "Changed as you say" not in studio.screen
        assert "--mode" not in studio.screen
        await studio.press("escape")


# req: G11
@pytest.mark.sweep
async def test_other_versions_take_so_many_keys(desk: OpenDesk) -> None:
    anew = Rule(text="The oil had run dry.")
    there = desk(Model(anew=anew, judge=judged(directives=[directive(2, 1)])))
    await asyncio.to_thread(partial(there.write, review="ask"))
    sheet = there.session().directives()
    assert sheet is not None
    every = [one.id for one in sheet.directives]  # or it would be asked whether they may go
    there.session().change_directives("reject", every, reason="as it is")
    async with opened(there.folder, there.environ) as studio:
        keys = Keys(studio)
        await studio.on_chapter(1)
        await studio.settled()
        await studio.press("2", "home")
        before = there.staged().read_text("utf-8")
        for key, flow in (("a", "Another version of a paragraph"), ("A", "A scene written again")):
            await keys(key)
            await studio.sees(Choose, "Written anew")
            await keys("enter")
            await studio.sees(VersionsScreen)
            await studio.until(lambda: "version 1 of 1" in studio.screen, "the version")
            await keys("enter")
            await studio.until(lambda: there.staged().read_text("utf-8") != before, "it taken")
            await studio.sees(DeskScreen)
            keys.were_those_of(flow)
            await studio.settled()
            await keys("u")
            await studio.until(lambda: there.staged().read_text("utf-8") == before, "it undone")
            if key == "a":
                keys.were_those_of("The paragraph as it was")


# req: H1 H4
def test_the_page_of_the_app_says_how_many_keys_each_flow_takes() -> None:
    page = (ROOT / "docs/the-app.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| (`.*`.*) \| (\d+) \|$", page, re.MULTILINE)
    assert [what for what, _keys, _count in rows] == [*FLOWS]
    for what, keys, count in rows:
        names = [key if key == "…" else f"`{shown_key(key)}`" for key in FLOWS[what]]
        assert keys.replace("\\|", "|") == " ".join(names), what
        assert int(count) == len([key for key in FLOWS[what] if key != "…"]), what
