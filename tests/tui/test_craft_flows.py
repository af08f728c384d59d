"""The author's own standards, on the real app: waived, lifted, promoted, tried again, told."""

from __future__ import annotations

import asyncio

import pytest

from studio.story.chapter import sha256_of
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.evaluation import Counsel
from studio.story.review.passage import PassageLocation
from studio.story.status import DirectiveStatus
from studio.tui.screens.ask import Ask, AskText, NotThis
from studio.tui.screens.decision import DecisionScreen
from studio.tui.widgets.diff_view import DiffView
from studio.tui.widgets.prose_view import ProseView
from tests.fake_messages import Asked, Rule
from tests.pipeline.at_a_decision import at_breaker
from tests.pipeline.flows import SCENES, Model, block, directive, judged, operated, unrefined
from tests.tui.conftest import OpenDesk
from tests.tui.craft_words import lift, promote, select, try_again, waive
from tests.tui.pilot import StudioPilot, opened

SHOW = "dir_show_not_tell_001"
SECOND = "dir_show_not_tell_002"
BRIDGE = "dir_transition_smoothing_001"
TWO = judged(directives=[directive(1, 1), directive(2, 1)])


@pytest.mark.sweep
async def test_a_finding_is_waived_with_a_reason_and_lifted_again(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await waive(studio, SHOW, "She tells it because she cannot look.")
        assert [w.scope for w in studio.store.waivers().waivers] == ["here"]
        assert "meant in this passage of chapter 1, and no longer proposed." in studio.told
        assert studio.directives.directive_under_cursor is not None
        assert studio.directives.directive_under_cursor.id == SECOND
        await studio.on_directive(SHOW)
        assert "Why it is meant so" in studio.screen
        assert "because she cannot" in studio.screen
        await lift(studio, SHOW)
        assert studio.store.waivers().waivers == ()


@pytest.mark.sweep
async def test_what_is_meant_reaches_as_far_as_was_said(desk: OpenDesk) -> None:  # req: H4
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.on_directive(SHOW)
        await studio.press("r")
        await studio.sees(NotThis, "Only this once")
        await studio.press("escape")
        assert studio.status_of(SHOW) is DirectiveStatus.PENDING
        await waive(studio, SHOW, "her voice", "book")
        assert [w.scope for w in studio.store.waivers().waivers] == ["book"]
        await studio.until(
            lambda: studio.status_of(SECOND) is DirectiveStatus.WAIVED, "what it covers too"
        )
        await lift(studio, SHOW, asked=True)
        assert studio.status_of(SECOND) is DirectiveStatus.PENDING


async def test_one_thing_is_meant_in_the_whole_book_and_all_else_of_its_kind_still_comes(
    desk: OpenDesk,
) -> None:
    first = directive(1, 1, type="fact-correction", issue="The book says thirty lamps.")
    second = directive(2, 1, type="fact-correction", issue="Joss is on the boat.")
    there = desk(Model(judge=judged(directives=[first, second])))
    one, other = "dir_fact_correction_001", "dir_fact_correction_002"
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.on_directive(one)
        await studio.press("r")
        await studio.sees(NotThis, "Everything of this kind in the whole book, whatever it is")
        await studio.press("down", "down")
        await studio.answer(NotThis, "He never could count.")
        await studio.sees(Ask, "all else of this kind is")
        await studio.press("ctrl+u", *"thirty lamps", "enter")
        await studio.until(
            lambda: studio.status_of(one) is DirectiveStatus.WAIVED, "the waived directive"
        )
        assert studio.status_of(other) is DirectiveStatus.PENDING
        (waiver,) = studio.store.waivers().waivers
        assert (waiver.scope, waiver.words) == ("book", "thirty lamps")
        assert waiver.reason == "He never could count."
        assert "“thirty lamps” is meant in the whole book. All else of this kind" in studio.told
        await lift(studio, one, asked=True)
        assert not studio.store.waivers().waivers


@pytest.mark.sweep
async def test_paragraphs_of_the_book_become_an_example(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await select(studio, 1, 2, 3)
        await studio.ask_for("desk.promote")
        await studio.until(lambda: "you have not accepted" in studio.told, "the refusal")
        assert not studio.store.exemplars()
        await studio.on_directive(SHOW)
        await studio.press("R", "y")
        await studio.until(lambda: not studio.desk.situation().pending, "the rejections")
        await studio.press("w")
        await studio.decide("commit")
        await studio.on_chapter(1)
        await select(studio, 1, 2, 3)
        proposed = await promote(studio, None, "discovery", "uneasy")
        assert proposed == "under-the-last-of-them-the"
        exemplars = studio.store.exemplars()
        assert [(e.id, e.meta.scene_type, e.meta.emotional_tone) for e in exemplars] == [
            (proposed, "discovery", "uneasy")
        ]
        assert f"as style-library/{proposed}.md" in studio.told
        assert exemplars[0].meta.source == "chapter 1, scene 1"
        assert exemplars[0].text.strip().startswith("Under the last of them")
        assert "the cold came through" in exemplars[0].text


@pytest.mark.sweep
async def test_a_kept_fix_becomes_an_example_and_one_that_waits_does_not(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.accept(SHOW)
        await studio.write_next()
        await studio.on_directive(SHOW)
        await studio.ask_for("desk.promote")
        await studio.until(lambda: "you have not accepted" in studio.told, "the refusal")
        await studio.accept(SHOW)
        await studio.on_directive(SHOW)
        await promote(studio, "oil-cans", "discovery", "")
        assert [e.id for e in studio.store.exemplars()] == ["oil-cans"]
        assert "It held there." in studio.store.exemplars()[0].text


@pytest.mark.sweep
async def test_the_note_of_another_try_reaches_the_surgeon(desk: OpenDesk) -> None:
    asked: list[Asked] = []

    def surgeon(question: Asked) -> Rule:
        asked.append(question)
        return operated(question)

    there = desk(Model(judge=TWO, surgery=surgeon))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.accept(SHOW)
        await studio.write_next()
        await try_again(studio, SHOW, "Keep her hands out of it.")
        assert len(asked) == 2
        assert "Keep her hands out of it." not in asked[0].prompt
        assert "Keep her hands out of it." in block(asked[1], "notes")
        assert studio.status_of(SHOW) is DirectiveStatus.APPLIED
        assert studio.desk.state.current.text.text.count("It held there.") == 1


@pytest.mark.sweep
async def test_what_a_fix_did_stands_over_its_diff_and_why_it_was_rejected_beside_it(
    desk: OpenDesk,
) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.reject(SECOND, "Joss talks like that.")
        await studio.accept(SHOW)
        await studio.write_next()
        await studio.on_directive(SHOW)
        assert studio.desk.panes.tab == "diff"
        view = studio.desk.query_one(DiffView)
        await studio.until(lambda: not view.busy, "the diff")
        rows = "".join(s.text for y in range(4) for s in view.row_strip(y, view.pane.width))
        assert "keep the fix?" in rows
        await studio.on_directive(SECOND)
        assert "Why not" in studio.screen
        assert "Joss talks like that." in studio.screen


async def at_breaker_card(studio: StudioPilot) -> None:
    """`w` on what was accepted a third time."""
    await studio.write_next()
    await studio.sees(DecisionScreen, "It is not getting better")


@pytest.mark.sweep
async def test_what_does_not_get_better_is_asked_about_with_the_passage_in_sight(
    desk: OpenDesk,
) -> None:
    there = await asyncio.to_thread(at_breaker, desk)
    async with opened(there.folder, there.environ) as studio:
        await at_breaker_card(studio)
        for words in ("Leave the passage as it is", "try once more", "Change it yourself"):
            assert words in studio.screen
        assert "It reads now: “Under the last of them" in studio.screen
        assert studio.desk.query_one(ProseView).strips.passages[0].first == 2
        await studio.press("j", "enter")
        await studio.sees(Ask, "Once more")
        await studio.type("Leave the key out of it.")
        before = studio.desk.state.run
        await studio.press("enter")
        await studio.until(lambda: studio.desk.state.run is not before, "the run")
        await studio.until(lambda: studio.desk.state.settled, "the desk")
        surgery = [a for a in there.server.asked if block(a, "passage")]
        assert "Leave the key out of it." in block(surgery[-1], "notes")


@pytest.mark.sweep
async def test_a_passage_is_left_as_it_is_with_a_reason_or_the_question_stays_open(
    desk: OpenDesk,
) -> None:
    there = await asyncio.to_thread(at_breaker, desk)
    async with opened(there.folder, there.environ) as studio:
        await at_breaker_card(studio)
        await studio.press("enter")
        await studio.sees(Ask, "Leave it as it is")
        await studio.press(*"Mine", "escape")
        await studio.sees(DecisionScreen, "It is not getting better")  # back at its card
        pending = studio.store.checkpoint().pending_decision
        assert pending is not None
        assert pending.kind == "breaker"
        await studio.press("enter")
        await studio.sees(Ask, "Mine")
        await studio.press(*["backspace"] * 4)
        before = studio.desk.state.run
        await studio.answer(Ask, "그 문장은 그대로가 좋다")
        await studio.until(lambda: studio.desk.state.run is not before, "the run")
        await studio.until(lambda: studio.desk.state.settled, "the desk")
        left = [d for d in studio.desk.state.current.sheet.directives if d.status == "rejected"]
        assert [d.note for d in left] == ["그 문장은 그대로가 좋다"]


@pytest.mark.sweep
async def test_a_bridge_is_read_before_it_is_taken_and_no_model_is_asked(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO))
    async with opened(there.folder, there.environ) as studio:
        await to_review_of_bridge(studio)
        assert studio.desk.panes.tab == "diff"
        view = studio.desk.query_one(DiffView)
        await studio.until(lambda: not view.busy, "the diff")
        assert "The tide turned." in studio.screen
        assert "How the scene would begin" in studio.screen
        await studio.press("e")
        await studio.sees(AskText, "no model is asked")
        await studio.press("escape")
        asked = len(there.server.asked)
        await studio.accept(BRIDGE)
        await studio.write_next()
        assert studio.status_of(BRIDGE) is DirectiveStatus.APPLIED
        assert (
            studio.desk.state.current.text.scene(2)
            .paragraphs[0]
            .text.startswith("The tide turned.")
        )
        surgery = [a for a in there.server.asked[asked:] if block(a, "passage")]
        assert surgery == []


async def to_review_of_bridge(studio: StudioPilot) -> None:
    """To a review with one more directive: a bridge, as the assembly proposes it."""
    await studio.write_next()
    text = SCENES[2][0]
    bridge = Directive(
        id=BRIDGE,
        type=DirectiveType.TRANSITION_SMOOTHING,
        priority=9,
        location=PassageLocation(scene_number=2, paragraph_start=1, paragraph_end=1),
        issue="The step into scene 2 leaves out more than one thing at once.",
        current_text=text,
        instruction="Begin the scene with: The tide turned.",
        max_scope=1,
        source_sha256=sha256_of(text),
        origin="code",
        edited_text=f"The tide turned. {text}",
    )
    staged = studio.store.staging_of(1)
    sheet = staged.sheet()
    assert sheet is not None
    staged.put_sheet(sheet.model_copy(update={"directives": (bridge,)}))
    await studio.desk.reread()
    await studio.on_directive(BRIDGE)
    studio.desk.painter.reveal()
    await studio.pilot.pause()


@pytest.mark.sweep
async def test_what_is_no_fix_is_listed_apart_and_cannot_be_accepted(desk: OpenDesk) -> None:
    there = desk(Model(judge=TWO, refine=unrefined))
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        chapter = studio.desk.state.current
        counsel = (
            Counsel(
                kind="decide",
                issue="Does she know it is her father's key?",
                options=("She knows, and hides it.", "She learns it here."),
                scene=1,
                quote="the shape of a key",
            ),
            Counsel(kind="advice", issue="Both scenes close on a bell."),
        )
        sheet = chapter.sheet.model_copy(update={"suppressed": 3})
        studio.desk.state.current = chapter._replace(counsel=counsel, sheet=sheet)
        studio.desk.painter.directives()
        await studio.press("3")
        for words in ("The surgeon can fix", "3 more findings", "Only you decide", "Advice on the"):
            assert words in studio.screen
        await studio.press("j", "j")
        assert studio.directives.counsel == counsel[0]
        assert "She knows, and hides it." in studio.screen
        prose = studio.desk.query_one(ProseView)
        marked = [w for marks in prose.strips.evidence.values() for w in marks]
        assert [(w.scene, w.number) for w in marked] == [(1, 2)]
        assert SCENES[1][1][marked[0].start : marked[0].end] == "the shape of a key"
        await studio.press("a")
        assert "This is not a fix" in studio.told
        await studio.press("j")
        assert studio.directives.counsel == counsel[1]
        assert [d.status for d in sheet.directives] == [DirectiveStatus.PENDING] * 2
