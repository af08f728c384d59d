"""Rows of a review that are no fixes: a choice is answered, what had no place is read."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from textual.widgets import OptionList, TextArea

from studio.story.review.directive import Directive
from studio.story.review.evaluation import Counsel
from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import AskText, Choose, Confirm
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, Model, directive, judged, unrefined, violation
from tests.project.novels import put
from tests.tui.pilot import StudioPilot, opened

QUESTIONS = ("Does she know whose it is?", "Whose bell is it?", "Who is up?", "Is he counting?")
QUOTES = ("the shape of a key", "a bell rang", "You are up early", "count, and lose count")


def model(**more: Any) -> Model:
    choices = [
        {
            "kind": "decide",
            "issue": issue,
            "options": ["Yes.", "No."],
            "scene": scene,
            "quote": quote,
        }
        for issue, quote, scene in zip(QUESTIONS, QUOTES, (1, 1, 1, 2), strict=True)
    ]
    rule = judged(directives=[directive(1, 1)])
    judge = Rule(value={**rule.value, "counsel": choices})
    return Model(**{"refine": unrefined, "judge": judge, **more})


async def say(studio: StudioPilot, words: str) -> None:
    """Types an answer into its box, and takes it."""
    await studio.sees(AskText)
    box = studio.app.screen
    box.query_one(TextArea).load_text(words)
    await studio.press("ctrl+s")
    await studio.until(lambda: studio.app.screen is not box, "the answer")


async def answer(studio: StudioPilot, issue: str, at: int, words: str) -> Counsel:
    """Enter on the row of a choice, a row of the card, and words."""
    await studio.press("3")
    while studio.directives.counsel is None or studio.directives.counsel.issue != issue:
        before = studio.directives.index
        await studio.press("j")
        assert studio.directives.index > before, issue
    await studio.press("enter")
    await studio.answer(Choose, 2 + at)  # the judge's two ways come first
    await say(studio, words)
    state = studio.desk.state

    def answered() -> Counsel | None:
        counsel = state.current.counsel if state.current else ()
        return next((c for c in counsel if c.issue == issue and c.answer), None)

    await studio.until(answered, "the answer")
    choice = answered()
    assert choice is not None
    studio.directives.move(-99)
    return choice


@pytest.mark.sweep
async def test_what_only_she_decides_is_answered_in_four_ways(desk: OpenDesk) -> None:  # req: H4
    there = desk(model())
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await answer(studio, QUESTIONS[0], 0, "She knows it is her father's.")
        fix = next(d for d in studio.directives.changes if d.origin == "writer")
        assert fix.status is DirectiveStatus.ACCEPTED
        assert "Your fix" in studio.screen
        assert "It is among the fixes now" in studio.told
        await answer(studio, QUESTIONS[1], 1, "No bell.")
        assert studio.store.checkpoint().direction == "No bell."
        await answer(studio, QUESTIONS[2], 3, "Ask mother.")
        assert "%% Ask mother. %%" in studio.store.staging_of(1).text().text
        meant = await answer(studio, QUESTIONS[3], 4, "")
        assert (meant.answer, meant.answer_words) == ("meant", "")
        assert "not asked again" in studio.told
        await studio.press("3", *["j"] * 2)
        await studio.until(lambda: "Your answer" in studio.screen, "the answer under its row")
        await studio.press("enter")
        assert not isinstance(studio.app.screen, Choose)
        await studio.press("j", "u")
        await studio.until(lambda: not studio.store.checkpoint().direction, "the wish taken back")
        assert "taken back" in studio.told
        await studio.write_next()
        assert studio.status_of(fix.id) is DirectiveStatus.APPLIED


async def test_a_chapter_a_run_took_into_the_book_is_answered_there(desk: OpenDesk) -> None:
    there = desk(model())
    await asyncio.to_thread(there.write, review="reject")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("3")
        await studio.until(lambda: studio.directives.entries, "the findings")
        studio.directives.go_to_choice()
        await studio.until(lambda: studio.directives.open_choice is not None, "the choice")
        await studio.press("d")
        await studio.sees(Choose, "A fix here")
        assert "next draft" not in studio.screen, "no model drafts a chapter of the book again"
        await studio.answer(Choose, 2 + 3)
        await say(studio, "")
        await studio.until(lambda: "not asked again" in studio.told, "what is said of it")
        assert studio.store.checkpoint().inflight_chapter is None
        assert studio.directives.open_choice.issue == QUESTIONS[1]
        await studio.press("enter")
        await studio.answer(Choose, 2 + 0)
        await say(studio, "No\nbell.")
        await studio.until(lambda: "in review again" in studio.told, "what is said of it")
        assert studio.store.checkpoint().inflight_chapter == 1
        fix = next(d for d in studio.directives.changes if d.origin == "writer")
        assert fix.status is DirectiveStatus.ACCEPTED


@pytest.mark.sweep
async def test_a_doubt_about_the_plan_stays_in_the_review_when_its_notice_is_gone(
    desk: OpenDesk,
) -> None:
    doubt = {**violation("a bell rang", scene=1), "confidence": "low"}
    there = desk(model(judge=judged(directives=[directive(1, 1)], violations=[doubt])))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        studio.app.clear_notifications()
        await studio.press("3")
        while studio.directives.counsel is None:
            before = studio.directives.index
            await studio.press("j")
            assert studio.directives.index > before
        assert "perhaps broken" in studio.directives.counsel.issue
        assert studio.directives.counsel.quote == "a bell rang"


@pytest.mark.sweep
async def test_an_answer_for_the_next_chapter_is_its_direction_on_the_desk(
    desk: OpenDesk,
) -> None:
    """Two sittings: she answers in the review, and finds her words where `i` changes them."""
    there = desk(model())
    second = {**CONTRACT, "chapter": 2, "title": "The Bell"}
    put(there.folder, "volumes/vol-01/chapter-contracts/chapter-002.json", second)
    wish = "Let her give it back."
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        choice = await answer(studio, QUESTIONS[0], 2, wish)
        assert choice.answer == "next"
        assert "Kept for the next chapter" in studio.told
        assert not studio.desk.state.direction, "it is nothing for this chapter"
        await studio.on_chapter(2)
        await studio.turn_to("plan")
        await studio.until(lambda: wish in studio.screen, "it in the plan of its chapter")
    await asyncio.to_thread(there.write, review="reject", chapter=1)
    async with opened(there.folder, there.environ) as studio:
        await studio.until(lambda: studio.desk.state.direction == wish, "the direction")
        await studio.until(lambda: wish in studio.screen, "it on the desk")
        await studio.press("i", "ctrl+z")
        await studio.until(lambda: studio.store.checkpoint().orders == (), "it taken back")


@pytest.mark.sweep
async def test_fixes_in_the_text_are_named_and_reached_before_what_only_she_decides(
    desk: OpenDesk,
) -> None:
    rule = model().answers["judge"]
    assert isinstance(rule, Rule)
    value = {**rule.value, "directives": [directive(1, 1), directive(2, 1)]}
    there = desk(model(judge=Rule(value=value)))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        first, last = (change.id for change in studio.directives.changes)
        await studio.accept(first)
        await studio.accept(last)
        await studio.write_next()
        assert studio.status_of(first) is DirectiveStatus.APPLIED
        await studio.until(lambda: "2 fixes to keep or undo, 4 only you" in studio.screen, "both")
        await studio.accept(first)
        await studio.until(lambda: studio.directives.directive_under_cursor is not None, "a fix")
        assert studio.directives.directive_under_cursor.id == last
        await studio.press("a")
        await studio.until(lambda: studio.directives.open_choice is not None, "the question")
        assert studio.directives.open_choice.issue == QUESTIONS[0]


@pytest.mark.sweep
async def test_esc_leaves_the_box_first_with_what_was_typed_and_then_the_question(
    desk: OpenDesk,
) -> None:
    there = desk(model())
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("3", "j", "enter")
        await studio.sees(Choose, "A fix here")
        await studio.press("down", "down", "enter")
        await studio.sees(AskText, "What should stand in this paragraph?")
        await studio.press("enter", "ctrl+s")
        await studio.sees(AskText, "A few words first")
        await studio.press("W")
        await studio.until(lambda: "A few words first" not in studio.screen, "no more asked for")
        assert "Esc back" in studio.screen
        await studio.press("escape")
        await studio.sees(Choose, "Only you decide")
        await studio.press("enter")
        await studio.sees(AskText, "W")
        await studio.press("escape")
        await studio.sees(Choose)
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        assert [c.answer for c in studio.desk.state.current.counsel if c.kind == "decide"] == [
            None
        ] * 4


@pytest.mark.sweep
async def test_findings_that_had_no_place_are_opened(desk: OpenDesk) -> None:  # req: H4
    proposals = [directive(*at) for at in ((1, 1), (1, 2), (1, 4), (2, 1), (2, 2), (2, 3), (2, 4))]
    there = desk(Model(judge=judged(directives=proposals)))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        sheet = studio.desk.state.current.sheet
        assert len(sheet.directives) == 5
        assert len(sheet.beyond) == sheet.suppressed == 2
        await studio.press("3", "end")
        assert studio.directives.directive_under_cursor is None
        await studio.press("home")
        assert studio.directives.directive_under_cursor == studio.directives.changes[0]
        await studio.press(*["j"] * 5)
        for finding in sheet.beyond:
            at = finding.location
            words = f"{at.scene_number}.{at.paragraph_start} Show, don't tell"
            await studio.until(lambda words=words: words in studio.screen, words)
        await studio.press("enter")
        await studio.until(lambda: "Passage" in studio.screen, "the passages")


@pytest.mark.sweep
async def test_a_way_that_the_judge_names_can_be_picked(desk: OpenDesk) -> None:
    there = desk(model())
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("3")
        while studio.directives.counsel is None:
            await studio.press("j")
        await studio.press("enter")
        await studio.sees(Choose)
        names = [str(o.prompt)[2:] for o in studio.app.screen.query_one(OptionList).options]
        assert names[:2] == ["Yes.", "No."]
        await studio.answer(Choose, 1)
        await studio.sees(Choose, "The surgeon rewrites this paragraph by it · ")
        await studio.press("escape")
        await studio.sees(Choose, "Only you decide")
        assert studio.desk.state.current.counsel[0].answer is None, "nothing is done unsaid"
        await studio.answer(Choose, 1)
        await studio.answer(Choose, 0)
        fix = await _fix(studio)
        assert fix.instruction.endswith("No.")


@pytest.mark.sweep
async def test_a_way_of_the_judge_can_be_so_already_and_costs_nothing(desk: OpenDesk) -> None:
    there = desk(model())
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.press("3")
        while studio.directives.counsel is None:
            await studio.press("j")
        issue = studio.directives.counsel.issue
        await studio.press("enter")
        await studio.answer(Choose, 0)
        await studio.sees(Choose, "It is so already: nothing is changed")
        await studio.answer(Choose, 4)

        def answer() -> Counsel | None:
            counsel = studio.desk.state.current.counsel
            return next((c for c in counsel if c.issue == issue and c.answer), None)

        await studio.until(answer, "the answer")
        assert answer().answer == "meant"
        assert answer().answer_words == "Yes."
        assert not [d for d in studio.directives.changes if d.origin == "writer"]


@pytest.mark.sweep
async def test_a_rewrite_taken_back_opens_what_it_answered_again(desk: OpenDesk) -> None:
    there = desk(model())
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        text = studio.store.staging_of(1).text()
        await answer(studio, QUESTIONS[0], 0, "She knows it is her father's.")
        fix = await _fix(studio)
        await studio.write_next()
        await studio.until(
            lambda: studio.status_of(fix.id) is DirectiveStatus.APPLIED, "the rewrite"
        )
        assert studio.desk.situation().choices == len(QUESTIONS) - 1
        await studio.on_directive(fix.id)
        await studio.press("u")
        await studio.until(
            lambda: studio.desk.situation().choices == len(QUESTIONS), "the question again"
        )
        assert studio.store.staging_of(1).text() == text


@pytest.mark.sweep
async def test_nothing_says_that_all_is_decided_while_a_choice_is_open(desk: OpenDesk) -> None:
    there = desk(model())
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.to_review()
        await studio.press("3", "x", "enter")
        await studio.until(lambda: studio.desk.situation().pending == 0, "the directive put aside")
        await studio.until(
            lambda: "4 things that only you decide are still open" in studio.told, "what is open"
        )
        assert "All decided" not in studio.told
        await studio.until(lambda: "Chapter 1: 4 only you decide" in studio.screen, "the line")
        question = studio.store.checkpoint().pending_decision
        assert question is not None
        assert "Nothing is open" not in str(question.rationale)
        assert "4 choices only you can make are open" in str(question.rationale)
        await studio.press("w")
        assert studio.directives.open_choice is not None
        await studio.press("d")
        await studio.sees(Choose, "Only you decide")
        await studio.press("escape", "C")
        await studio.sees(Confirm, QUESTIONS[3])
        await studio.press("n")
        for number, _issue in enumerate(QUESTIONS):
            await studio.until(lambda: studio.directives.open_choice, "an open choice")
            await studio.press("enter")
            await studio.answer(Choose, 6)
            await say(studio, "")
            await studio.until(
                lambda left=3 - number: studio.desk.situation().choices == left, "the answer"
            )
            studio.directives.go_to_open()
        assert "All decided" in studio.told


async def _fix(studio: StudioPilot) -> Directive:
    def fixes() -> list[Directive]:
        sheet = studio.directives.sheet
        return [d for d in (sheet.directives if sheet else ()) if d.origin == "writer"]

    await studio.until(fixes, "her fix")
    return fixes()[0]


@pytest.mark.sweep
async def test_the_outline_counts_each_answer_that_holds_from_now_on_at_once(
    desk: OpenDesk,
) -> None:
    there = desk(model())
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        for count in (1, 2):
            await answer(studio, QUESTIONS[count], 5, "It is the lamp keeper's.")
            rules = re.compile(rf"Rules +{count} ")
            await studio.until(lambda rules=rules: rules.search(studio.screen), f"{count} of them")
        await studio.press("u")
        await studio.until(lambda: re.search(r"Rules +1 ", studio.screen), "one taken back")


async def test_an_answer_for_the_next_chapter_in_the_book_stands_at_once(desk: OpenDesk) -> None:
    """Met: it was to stand once the chapter is in the book, where it was."""
    there = desk(model())
    await asyncio.to_thread(there.write, review="reject")
    async with opened(there.folder, there.environ) as studio:
        await studio.press("3")
        await studio.until(lambda: studio.directives.entries, "the findings")
        choice = await answer(studio, QUESTIONS[0], 1, "In the rain.")
        assert choice.answer == "next"
        await studio.until(lambda: "chapter: it stands as the direction" in studio.told, "that")
        await studio.until(lambda: studio.desk.state.direction == "In the rain.", "it stands")
