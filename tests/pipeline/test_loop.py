"""Rounds of surgery: what is remembered from one to the next, and when the writer is asked."""

from __future__ import annotations

from typing import Any

import pytest

from studio.pipeline.outcome import Committed
from studio.pipeline.review.rounds import paragraphs_changed, times_worked, without_scenes
from studio.story.chapter import Chapter
from studio.story.checkpoint import Worked
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.passage import PassageLocation
from tests.fake_messages import Asked, Rule
from tests.pipeline.at_a_decision import SHOW, at_breaker, at_review_of_two, pending, sheet_of
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    DRAFT,
    SCENES,
    SETTINGS,
    Desk,
    Model,
    ask,
    block,
    directive,
    judged,
    unrefined,
)

FILTERED = (
    "Mara felt cold and saw that the door had moved. Somebody, she thought, was there with her in"
    " the room, and she felt that it was no friend. She noticed how the lamp seemed to listen."
)


# The breaker


# req: A15
@pytest.mark.sweep
def test_the_same_issue_a_third_time_is_put_to_the_writer(desk: OpenDesk) -> None:
    desk_ = at_breaker(desk)
    before, asked = desk_.staged().read_text(), desk_.calls().count("surgery")
    decision = ask(desk_).decision
    assert (decision.kind, decision.options) == ("breaker", ("leave", "again", "edit"))
    assert decision.recommendation == "leave"
    assert "has come up 3 times in this passage (scene 1, paragraph 2)" in decision.rationale
    assert set(decision.data["options"]) == set(decision.options)
    assert (desk_.staged().read_text(), desk_.calls().count("surgery")) == (before, asked)
    assert ask(desk_).decision == decision


@pytest.mark.sweep
def test_left_alone_the_passage_stays_and_the_proposal_is_remembered(desk: OpenDesk) -> None:
    desk_ = at_breaker(desk)
    before, name = desk_.staged().read_text(), pending_or_accepted(desk_)
    ask(desk_)
    desk_.decide("leave", note="그 문장은 그대로가 좋다")
    assert ask(desk_).decision.kind == "review"
    assert desk_.staged().read_text() == before
    left = sheet_of(desk_)[name]
    assert (left.status.value, left.note) == ("rejected", "그 문장은 그대로가 좋다")


def pending_or_accepted(desk_: Desk) -> str:
    return next(d.id for d in sheet_of(desk_).values() if d.status.value == "accepted")


@pytest.mark.sweep
def test_once_more_takes_the_note_along(desk: OpenDesk) -> None:
    desk_ = at_breaker(desk)
    ask(desk_)
    desk_.decide("again", note="Leave the key out of it.")
    ask(desk_)
    surgery = [a for a in desk_.server.asked if block(a, "passage")]
    assert "Leave the key out of it." in block(surgery[-1], "notes")
    assert desk_.staged().read_text().count("It held there.") == 3


@pytest.mark.sweep
def test_what_the_writer_edited_herself_is_never_held_up(desk: OpenDesk) -> None:
    desk_ = at_breaker(desk)
    name = pending_or_accepted(desk_)
    desk_.session().change_directives("edit", [name], text="The boards were pale.")
    assert ask(desk_).decision.kind == "gate"
    assert "The boards were pale." in desk_.staged().read_text()


def worked(kind: str, scene: int, first: int, last: int, **more: Any) -> Worked:
    at = PassageLocation(scene_number=scene, paragraph_start=first, paragraph_end=last)
    return Worked(type=DirectiveType(kind), location=at, **{"round": 1, "changed": True, **more})


# req: A15
def test_the_same_issue_is_one_type_on_paragraphs_that_overlap() -> None:
    done = [worked("cut", 1, 2, 3), worked("cut", 1, 3, 4, changed=False), worked("cut", 2, 3, 3)]
    one = Directive(
        id="dir_cut_001",
        type=DirectiveType.CUT,
        priority=1,
        location=PassageLocation(scene_number=1, paragraph_start=3, paragraph_end=3),
        issue="중복이다.",
        instruction="뺀다.",
        max_scope=1,
    )
    assert times_worked(done, one) == 2
    assert times_worked(done, one.copy_with(type=DirectiveType.PROOFREADING)) == 0
    assert paragraphs_changed(done) == {(1, 2), (1, 3), (2, 3)}
    from studio.story.review.scenes_in_text import TextScenes  # the code before has none

    parts = "\n\n* * *\n\n".join("\n\n".join(f"{s}.{p}." for p in range(1, 5)) for s in (1, 2))
    scenes = TextScenes.between_breaks(Chapter(parts))
    assert without_scenes(done, scenes, [1]) == (done[2],)
    assert without_scenes(done, scenes, []) == ()


# Rounds


# req: A15
@pytest.mark.sweep
def test_another_look_is_offered_after_surgery_and_keeps_each_fix_undoable(
    desk: OpenDesk,
) -> None:
    desk_ = at_review_of_two(desk)
    assert "look-again" not in ask(desk_).decision.options
    desk_.session().change_directives("accept", [SHOW])
    assert "look-again" in ask(desk_).decision.options
    desk_.decide("look-again")
    ran = ask(desk_)
    assert ran.decision.kind == "review"
    assert desk_.calls().count("judge") == 2
    assert sheet_of(desk_)[SHOW].status.value == "applied"
    desk_.session().change_directives("undo", [SHOW])
    assert desk_.staged().read_text() == DRAFT


# Rejections and notes


# req: A15
def test_a_note_reaches_the_rewrite_and_the_reason_for_another_passage_does_not(
    desk: OpenDesk,
) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives(
        "reject", ["dir_dialogue_subtext_001"], reason="조스는 원래 말을 돌리지 않는다"
    )
    desk_.session().change_directives("accept", [SHOW], reason="Keep the gulls.")
    ask(desk_)
    notes = block(desk_.server.asked[-1], "notes")
    assert "조스는 원래 말을 돌리지 않는다" not in notes
    assert "Keep the gulls." in notes


@pytest.mark.sweep
def test_try_again_with_a_note_is_a_new_question_with_the_note(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    ask(desk_)
    desk_.session().change_directives("undo", [SHOW])
    desk_.session().change_directives(
        "edit", [SHOW], instruction="Show it.", reason="再短一点，不要解释。"
    )
    asked = len(desk_.server.asked)
    ask(desk_)
    assert "再短一点，不要解释。" in block(desk_.server.asked[asked], "notes")
    assert sheet_of(desk_)[SHOW].status.value == "applied"


# What does not help


def filtered(asked: Asked) -> Rule:
    scenes = {1: [SCENES[1][0], FILTERED, *SCENES[1][2:]], 2: SCENES[2]}
    number = 1 if "Write scene 1" in asked.prompt else 2
    return Rule(text="\n\n".join(scenes[number]))


def no_better(asked: Asked) -> Rule:
    return Rule(text=block(asked, "passage").partition("] ")[2].replace("cold", "chilled"))


FILTER = "dir_filter_word_removal_001"


def with_a_useless_fix(desk: OpenDesk) -> Desk:
    desk_ = desk(Model(draft=filtered, refine=unrefined, surgery=no_better))
    desk_.write(review="ask")
    desk_.session().change_directives("accept", [FILTER], batch=True)
    decision = ask(desk_).decision
    assert decision.data["unhelpful"] == [FILTER]
    assert "does not help, and a commit takes it back unless you keep it" in decision.rationale
    assert "filter words still" in decision.rationale
    return desk_


# req: A12
@pytest.mark.sweep
def test_a_fix_that_does_not_help_is_not_kept_by_default(desk: OpenDesk) -> None:
    desk_ = with_a_useless_fix(desk)
    assert "chilled" in desk_.staged().read_text()
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert "chilled" not in desk_.text()
    assert FILTERED in desk_.text()
    assert sheet_of(desk_)[FILTER].status.value == "undone"
    evaluation = desk_.store.evaluation(1)
    assert evaluation is not None
    assert desk_.calls().count("judge") == desk_.calls().count("summary") == 1


@pytest.mark.sweep
def test_a_fix_that_does_not_help_stays_if_the_writer_keeps_it(desk: OpenDesk) -> None:
    desk_ = with_a_useless_fix(desk)
    desk_.session().change_directives("accept", [FILTER])
    ask(desk_)
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert "chilled" in desk_.text()
    assert sheet_of(desk_)[FILTER].status.value == "kept"


def test_under_accept_it_is_left_out_and_said(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=filtered, refine=unrefined, surgery=no_better))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed)
    assert FILTERED in desk_.text()
    assert "Filter words in scene 1, paragraph 2 was not kept: filter words still" in ran.warnings


# By hand


@pytest.mark.sweep
def test_a_fix_taken_back_by_hand_is_not_made_again(desk: OpenDesk) -> None:
    desk_ = at_review_of_two(desk)
    desk_.session().change_directives("accept", [SHOW])
    ask(desk_)
    assert "It held there." in desk_.staged().read_text()
    desk_.staged().write_text(DRAFT)
    ran = ask(desk_)
    assert ran.decision.kind == "review"
    assert desk_.staged().read_text() == DRAFT
    assert sheet_of(desk_)[SHOW].status.value == "undone"
    assert desk_.calls().count("surgery") == 1


# Too much


# req: A22
@pytest.mark.sweep
@pytest.mark.parametrize("rounds", [1, 2])
def test_more_than_half_a_chapter_is_said_once_however_many_rounds_it_took(
    desk: OpenDesk, rounds: int
) -> None:
    proposals = [
        directive(scene, number, type=kind)
        for scene in (1, 2)
        for number, kind in ((1, "show-not-tell"), (3, "voice-consistency"))
    ] + [directive(1, 2, type="transition-smoothing")]
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=proposals)))
    desk_.write(review="ask")
    names = list(sheet_of(desk_))
    assert len(names) == 5
    said = []
    for part in (names,) if rounds == 1 else (names[:4], names[4:]):
        desk_.session().change_directives("accept", list(part))
        said.append(ask(desk_).warnings.count("The surgeon has touched 5 of 8 paragraphs"))
    assert said == [0] * (rounds - 1) + [1]
    assert ask(desk_).warnings == ""


def pruning(asked: Asked) -> Rule:
    """The passage without the first of what it filters."""
    passage = block(asked, "passage").partition("] ")[2]
    for old, new in (
        ("felt cold and saw", "was cold and saw"),
        ("she felt that it was no friend", "it was no friend"),
        ("saw that the door", "said the door"),
    ):
        if old in passage:
            return Rule(text=passage.replace(old, new))
    return Rule(text=passage)


# req: A15
@pytest.mark.sweep
@pytest.mark.parametrize(("rounds", "surgery", "ends"), [(1, 1, 0), (2, 2, 0), (3, 2, 4)])
def test_a_passage_that_is_not_yet_good_is_worked_again_until_the_breaker_opens(
    desk: OpenDesk, rounds: int, surgery: int, ends: int
) -> None:
    settings = f"{SETTINGS}[review]\nrounds = {rounds}\n"
    model = Model(draft=filtered, refine=unrefined, surgery=pruning)
    desk_ = desk(model, settings=settings)
    ran = desk_.write(review="accept")
    assert desk_.calls().count("surgery") == surgery
    assert ran.exit_code == ends
    assert desk_.calls().count("judge") == rounds
    if ends:
        assert ran.decision.kind == "breaker"


# req: A15
@pytest.mark.sweep
@pytest.mark.repairs("W17")
def test_three_rounds_are_three_readings_with_nobody_at_the_desk(desk: OpenDesk) -> None:
    model = Model(draft=filtered, refine=unrefined, surgery=pruning)
    desk_ = desk(model, settings=f"{SETTINGS}[review]\nrounds = 3\n")
    desk_.write(review="accept")
    assert desk_.calls().count("judge") == 3


# req: A15
@pytest.mark.sweep
def test_a_fix_under_a_later_one_can_still_be_taken_back_after_it(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=filtered, refine=unrefined, surgery=pruning))
    desk_.write(review="ask")
    before = desk_.staged().read_text()
    for _ in range(2):
        desk_.session().change_directives("accept", [pending(desk_)])
        assert "look-again" in ask(desk_).decision.options
        desk_.decide("look-again")
        ask(desk_)
    applied = [d.id for d in sheet_of(desk_).values() if d.status.value == "applied"]
    assert len(applied) == 2
    for wanted in reversed(applied):
        desk_.session().change_directives("undo", [wanted])
    assert desk_.staged().read_text() == before
