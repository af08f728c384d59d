"""A chapter without questions from the app, and what is meant in the whole book: both are found by
a writer's own words for them."""

from __future__ import annotations

import asyncio
import re

import pytest
from textual.widgets import Input

from studio import i18n
from studio.pipeline.author import WaiveOrder
from studio.tui.actions import BY_ID
from studio.tui.desk.screen import DeskScreen
from studio.tui.palette import _is_called
from studio.tui.screens.ask import Ask, Choose, Confirm
from studio.tui.screens.decision import DecisionScreen
from studio.tui.screens.form import FormScreen
from studio.tui.screens.page import PageScreen
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SCENES,
    Desk,
    Model,
    directive,
    drafted,
    judged,
    operated,
    preferring,
    unrefined,
)
from tests.project.novels import put
from tests.tui.pilot import opened


def model() -> Model:
    return Model(
        refine=unrefined,
        judge=judged(directives=[directive(1, 1)]),
        surgery=operated,
        reader=preferring("2", {"differences": []}),
    )


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("unattended", "accept everything", "Automatic")),
        ("ko", ("자동", "무인", "알아서", "묻지 않고")),
        ("zh", ("自动", "无人", "不经询问")),
    ],
)
def test_a_run_without_questions_is_found_by_her_words(
    language: str, words: tuple[str, ...]
) -> None:
    i18n.use(language)
    for typed in words:
        assert _is_called(BY_ID["desk.unattended"], typed), typed


@pytest.mark.sweep
async def test_the_price_is_said_and_the_chapter_goes_into_the_book_unasked(
    desk: OpenDesk,
) -> None:
    there = desk(model())
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.ask_for("desk.unattended")
        await studio.sees(Choose, "(at most $")
        prices = [float(most) for most in re.findall(r"\(at most \$([\d.]+)\)", studio.screen)]
        assert max(prices) > 1.5 * min(prices), "with the fixes, and without"
        assert there.server.asked == []
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        assert there.server.asked == []
        await studio.ask_for("desk.unattended")
        await studio.answer(Choose, 0)
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter"
        )
        assert studio.store.checkpoint().pending_decision is None
        await studio.settled()


def asking(_: Asked) -> Rule:
    """A judge who leaves something to the author in every chapter."""
    choice = {"kind": "decide", "issue": "Is the bell the church's?", "options": ["Yes.", "No."]}
    return Rule(value={**judged(directives=[directive(1, 1)]).value, "counsel": [choice]})


def planned(there: Desk) -> None:
    """Plans chapters 2 and 3 as chapter 1 is."""
    for number in (2, 3):
        contract = {**CONTRACT, "chapter": number}
        put(there.folder, f"volumes/vol-01/chapter-contracts/chapter-{number:03d}.json", contract)


async def test_it_goes_on_for_as_many_chapters_as_she_names(desk: OpenDesk) -> None:
    there = desk(Model(judge=asking))
    planned(there)
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.ask_for("desk.unattended")
        await studio.sees(Ask, "3 are planned from here")
        await studio.press("4", "enter")
        await studio.until(lambda: "A number from 1 to 3." in studio.told, "the limit")
        await studio.sees(Ask, "3 are planned from here")
        await studio.answer(Ask, "2")
        await studio.sees(Choose, "Chapters 1 to 2 into the book without a question?")
        assert "(at most $3.65)" in studio.screen, "the price of both"
        assert there.server.asked == []
        await studio.answer(Choose, 1)
        await studio.sees(PageScreen, "Chapters 1 to 2 are in the book.")
        await studio.until(
            lambda: all(
                f"Chapter {n}: 1 taken into the text, 1 left open, cost " in studio.screen
                for n in (1, 2)
            ),
            "what became of each",
        )
        await studio.until(lambda: "2 chapters, cost " in studio.screen, "the sum")
        costs = re.findall(r"cost (\d+) cents?\.", studio.screen)
        (in_all,) = re.findall(r"2 chapters, cost (\d+) cents? in all\.", studio.screen)
        assert len(costs) == 2, studio.screen
        assert abs(sum(map(int, costs)) - int(in_all)) <= 1, (costs, in_all)
        assert studio.store.checkpoint().last_completed_chapter == 2
        assert studio.store.checkpoint().inflight_chapter is None, "the third is not begun"
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.press("1", "up", "3")
        await studio.until(lambda: studio.directives.open_choice, "what only she decides, first")
        assert studio.directives.changes, "rejected, and before it in the list"
        await studio.press("1", "d")
        await studio.sees(Choose, "Only you decide")


@pytest.mark.sweep
async def test_esc_ends_the_chapters_that_were_to_follow(desk: OpenDesk) -> None:
    held = Rule(mode="hold", after=8, text="\n\n".join(SCENES[1]))
    there = desk(Model(judge=asking, draft=[drafted, drafted, held]))
    planned(there)
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.ask_for("desk.unattended")
        await studio.answer(Ask, "3")
        await studio.answer(Choose, 1)
        await studio.until(
            lambda: (run := studio.desk.state.run).chapter == 2 and "oil cans" in run.prose,
            "the second chapter",
        )
        assert type(studio.app.screen) is DeskScreen, "what the first left open is told at the end"
        await studio.press("escape")
        await studio.sees(PageScreen, "Chapter 1 is in the book.")
        await studio.until(lambda: "2 chapters that were to be" in studio.told, "how many are left")
        assert "Stopped." in studio.told
        assert not studio.desk.bridge.is_running
        assert studio.store.checkpoint().inflight_chapter == 2
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        await studio.ask_for("desk.unattended")
        await studio.sees(Ask, "2 are planned from here")
        assert studio.app.screen.query_one(Input).value == "2", "those that are left"


async def test_a_plan_that_is_missing_comes_first_and_then_it_goes_on(desk: OpenDesk) -> None:
    there = desk(model(), contract=None)
    async with opened(there.folder, there.environ, (80, 24)) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.ask_for("desk.unattended")
        await studio.sees(FormScreen, "It has no plan yet: one sentence, and it goes on.")
        await studio.press(*"Mara")
        await studio.press("ctrl+s")
        await studio.sees(Choose, "Chapter 1 into the book without a question?")
        assert "w writes it" not in studio.told


@pytest.mark.sweep
async def test_what_is_meant_in_the_whole_book_is_listed_and_taken_back(desk: OpenDesk) -> None:
    there = desk(model())
    await asyncio.to_thread(there.write, review="ask")
    ids = [one.id for one in there.session().directives().directives]
    there.session().craft().waive(ids, WaiveOrder("Her way of telling.", "book", ""))
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.ask_for("desk.waivers")
        await studio.sees(Choose, "in the whole book: Her way")
        await studio.press("enter")
        await studio.sees(Confirm, "Her way")
        await studio.press("y")
        await studio.until(lambda: not there.store.waivers().waivers, "none")
        await studio.until(lambda: studio.desk.situation().pending == 1, "it waits again")
        await studio.ask_for("desk.waivers")
        await studio.until(lambda: "Nothing is meant so far" in studio.told, "none to list")


async def test_a_run_without_questions_that_is_stopped_says_that_it_asks_now(
    desk: OpenDesk,
) -> None:
    """`w` asks again after it: Esc takes the wheel. How it goes on unasked is said beside it."""
    held = model()
    there = desk(Model(draft=Rule(mode="hold", after=8, text="\n\n".join(SCENES[1]))))
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.ask_for("desk.unattended")
        await studio.answer(Choose, 0)
        await studio.until(lambda: "oil cans" in studio.desk.state.run.prose, "the stream")
        await studio.stop()
        await studio.until(lambda: "Write it without asking me" in studio.told, "how it goes on")
        there.server.answering = held
        there.server.released.set()
        await studio.ask_for("desk.unattended")
        await studio.answer(Choose, 0)
        await studio.until(
            lambda: studio.store.checkpoint().last_completed_chapter == 1, "the chapter"
        )


async def test_a_run_without_questions_that_a_question_ends_before_it_says_so(
    desk: OpenDesk,
) -> None:
    """She answered that she had changed a chapter, and the next was written with questions: nothing
    had said so, and in the morning it stood at the review."""
    there = desk(model())
    planned(there)
    await asyncio.to_thread(there.write, review="accept")
    page = there.folder / "chapters/chapter-001.md"
    page.write_text(page.read_text("utf-8") + "\nShe counted the cans again.\n")
    async with opened(there.folder, there.environ) as studio:
        await studio.ask_for("desk.unattended")
        await studio.sees(Ask)
        await studio.press("enter")
        await studio.answer(Choose, 0)
        await studio.sees(DecisionScreen)
        await studio.until(lambda: "Write it without asking me" in studio.told, "how it goes on")


async def test_a_run_with_questions_that_is_stopped_says_nothing_of_it(desk: OpenDesk) -> None:
    there = desk(Model(draft=Rule(mode="hold", after=8, text="\n\n".join(SCENES[1]))))
    async with opened(there.folder, there.environ) as studio:
        await studio.start_writing("oil cans")
        await studio.stop()
        await studio.until(lambda: "Stopped." in studio.told, "the stop")
        assert "without asking" not in studio.told
        state = studio.desk.state
        lines = [*state.journal, *state.run.journal]
        assert lines[-1].endswith("  Stopped."), "the log says that it was stopped"
        assert len([one for one in lines if "Drafting" in one]) == 1, lines


async def test_a_fix_is_taken_back_in_the_book_without_a_model(desk: OpenDesk) -> None:
    there = desk(model())
    await asyncio.to_thread(there.write, review="accept")
    (fix,) = there.store.directives(1).directives
    assert fix.result.after in there.store.chapter(1).text
    asked = len(there.server.asked)
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.book, "the book")
        await studio.desk.show_chapter(1)
        await studio.on_directive(fix.id)
        await studio.press("u")
        await studio.sees(Confirm, "This comes back:")
        assert "It held there." in studio.screen, "what goes"
        assert "No model is asked." in studio.screen
        await studio.press("n")
        assert fix.result.after in there.store.chapter(1).text
        await studio.press("u")
        await studio.sees(Confirm, "This comes back:")
        await studio.press("y")
        await studio.until(
            lambda: fix.result.after not in there.store.chapter(1).text, "the fix is out"
        )
        assert fix.result.before in there.store.chapter(1).text
        await studio.settled()
        await studio.until(
            lambda: studio.directives.changes[0].status == "undone", "it says that it is taken back"
        )
    assert len(there.server.asked) == asked
