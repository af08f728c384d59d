"""The conversation: every decision, answered by a writer who comes back tomorrow."""

from __future__ import annotations

from typing import Any

import pytest

from studio.errors import StudioError
from studio.pipeline.outcome import Committed
from studio.story.status import DirectiveStatus
from tests.fake_messages import Rule
from tests.pipeline.at_a_choice import CHOICE
from tests.pipeline.at_a_decision import (
    JOIN,
    PROPOSALS,
    SHOW,
    SUBTEXT,
    at_review,
    cut_scene,
    statuses,
)
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    DRAFT,
    SCENES,
    Desk,
    Model,
    ask,
    block,
    directive,
    judged,
    unrefined,
    violation,
)


@pytest.mark.sweep
def test_the_same_question_is_asked_again_while_it_is_open(desk: OpenDesk) -> None:
    desk_ = desk()
    first = desk_.write(review="ask").decision
    assert ask(desk_).decision == first
    assert desk_.session().pending() == first


# Gate


def at_gate(desk: OpenDesk, *judgements: Rule) -> Desk:
    desk_ = desk(Model(refine=unrefined, judge=judgements))
    assert desk_.write(review="ask").decision.kind == "gate"
    return desk_


@pytest.mark.sweep
def test_draft_again_drafts_the_named_scenes_with_the_notes(desk: OpenDesk) -> None:
    bell = violation("Far out a bell rang", scene=1)
    desk_ = at_gate(desk, judged(violations=[bell]), judged())
    decision = desk_.checkpoint.pending_decision
    assert decision is not None
    assert decision.options == ("mend", "draft-again", "review", "keep", "edit")
    assert decision.data["scenes"] == [1]
    assert "No bell rings" in decision.data["notes"][0]
    desk_.decide("draft-again")
    assert ask(desk_).decision.kind == "review"
    assert desk_.calls().count("draft") == 3
    assert desk_.checkpoint.revision_count == 1


@pytest.mark.repairs("T30")
def test_a_chapter_that_nobody_polishes_goes_on_with_a_word_about_it(desk: OpenDesk) -> None:
    without = '[novel]\ntitle = "T"\nlanguage = "en"\n[refine]\non = false\n'
    written = desk(Model(judge=judged(3.7)), settings=without).write(review="accept")
    assert isinstance(written.outcome, Committed)
    assert "3.7 of 5" in written.warnings
    assert "switched off" in written.warnings


@pytest.mark.sweep
@pytest.mark.repairs("T30")
def test_keep_says_how_many_proposals_nobody_decided_on(desk: OpenDesk) -> None:
    desk_ = at_gate(desk, judged(2.5, directives=PROPOSALS))
    desk_.decide("keep")
    assert "Proposals nobody decided on, which stay behind: 3." in ask(desk_).warnings


@pytest.mark.sweep
def test_review_goes_on_to_the_directives(desk: OpenDesk) -> None:
    desk_ = at_gate(desk, judged(2.5, directives=PROPOSALS))
    desk_.decide("review")
    assert ask(desk_).decision.data["pending"] == [SHOW, SUBTEXT, JOIN]


def test_keep_says_that_it_goes_into_the_book_and_first_asks_what_only_she_decides(
    desk: OpenDesk,
) -> None:
    judge = Rule(value={**judged(2.5, directives=PROPOSALS).value, "counsel": [CHOICE]})
    desk_ = at_gate(desk, judge)

    def consequence() -> str:
        return str(desk_.checkpoint.pending_decision.data["options"]["keep"])

    into = "Take the chapter into the book as it stands; {} left alone, undecided."
    assert consequence().startswith(into.format("3 directives are"))
    assert consequence().endswith("1 choice only you can make is put to you first.")
    desk_.session().change_directives("reject", [SHOW, SUBTEXT])
    assert consequence().startswith(into.format("1 directive is"))
    desk_.decide("keep")
    ran = ask(desk_)
    assert ran.decision.kind == "review"
    assert "1 choice only you can make is open" in ran.decision.rationale
    desk_.session().answer_choice(CHOICE["issue"], "meant")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.text() == DRAFT


@pytest.mark.sweep
def test_keep_takes_the_chapter_as_it_is(desk: OpenDesk) -> None:
    desk_ = at_gate(desk, judged(1.5, directives=PROPOSALS))
    desk_.decide("keep")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.text() == DRAFT
    evaluation = desk_.store.evaluation(1)
    assert evaluation is not None
    assert evaluation.gate is not None
    assert (evaluation.gate.verdict, evaluation.gate.decided) == ("rewrite", "keep")


@pytest.mark.sweep
def test_edit_leaves_the_question_open_until_the_text_is_changed(desk: OpenDesk) -> None:
    desk_ = at_gate(desk, judged(2.5), judged(4.2))
    desk_.decide("edit")
    assert ask(desk_).decision.kind == "gate"
    desk_.staged().write_text(DRAFT.replace("Mara", "마라"))
    gate = ask(desk_).decision
    assert (gate.kind, gate.recommendation) == ("gate", "look-again")
    assert desk_.calls().count("judge") == 1
    desk_.decide("look-again")
    ran = ask(desk_)
    assert ran.decision.kind == "review"
    assert not desk_.checkpoint.own_text, "a name is changed; most of it is a model's"
    assert "kept as a version first" in ran.decision.data["options"]["draft-again"]
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.text() == DRAFT.replace("Mara", "마라")


# Review


# req: U3
# req: A14
@pytest.mark.sweep
def test_each_directive_is_decided_on_alone(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    desk_.session().change_directives("accept", [SHOW])
    desk_.session().change_directives("reject", [SUBTEXT], reason="그 말투는 일부러 그랬어요")
    ran = ask(desk_)
    assert ran.decision.data["applied"] == [SHOW]
    assert ran.decision.data["pending"] == [JOIN]
    assert statuses(desk_) == {SHOW: "applied", SUBTEXT: "rejected", JOIN: "pending"}
    assert desk_.calls().count("surgery") == 1
    text = desk_.staged().read_text()
    assert text == DRAFT.replace(SCENES[1][1], SCENES[1][1] + " It held there.")
    desk_.session().change_directives("accept", [SHOW])
    desk_.session().change_directives("reject", [JOIN])
    assert ask(desk_).decision.rationale.startswith("Nothing is open")
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.text() == text
    assert statuses(desk_) == {SHOW: "kept", SUBTEXT: "rejected", JOIN: "rejected"}


# req: U3
@pytest.mark.sweep
def test_an_instruction_of_ones_own_reaches_the_surgeon(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    wish = "让她听见浪声，不要解释。"
    desk_.session().change_directives("edit", [SHOW], instruction=wish)
    ask(desk_)
    assert wish in block(desk_.server.asked[-1], "directive")
    assert statuses(desk_)[SHOW] == "applied"


# req: U3
@pytest.mark.sweep
def test_a_text_of_ones_own_needs_no_model(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    desk_.session().change_directives("edit", [SHOW], text="판자가 희었다.\n\n열쇠 모양이었다.")
    ran = ask(desk_)
    assert "surgery" not in desk_.calls()
    assert statuses(desk_)[SHOW] == "kept"
    expected = DRAFT.replace(SCENES[1][1], "판자가 희었다.\n\n열쇠 모양이었다.")
    assert desk_.staged().read_text() == expected
    assert ran.decision.kind == "review"


@pytest.mark.sweep
def test_an_empty_text_of_ones_own_cuts_but_never_empties_a_scene(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    desk_.session().change_directives("edit", [SHOW], text="")
    assert desk_.staged().read_text() == DRAFT.replace(SCENES[1][1] + "\n\n", "")
    lone = {**CONTRACT, "scenes": CONTRACT["scenes"][:1]}
    alone = desk(
        Model(draft=Rule(text=SCENES[1][1] * 3), refine=unrefined, judge=one_paragraph()),
        novel="lone",
        contract=lone,
    )
    assert alone.write(review="ask").decision.kind == "review"
    before = alone.staged().read_text()
    with pytest.raises(StudioError, match="Nothing would be left of the scene"):
        alone.session().change_directives("edit", [SHOW], text=" \n")
    assert statuses(alone)[SHOW] == "pending"
    assert alone.staged().read_text() == before


def one_paragraph() -> Rule:
    return judged(directives=[directive(1, 1, currentText=SCENES[1][1])])


# req: A14
@pytest.mark.sweep
@pytest.mark.parametrize("order", [(SHOW, JOIN), (JOIN, SHOW)])
def test_one_fix_is_taken_back_alone_and_the_others_stay(
    desk: OpenDesk, order: tuple[str, str]
) -> None:
    desk_ = at_review(desk)
    desk_.session().change_directives("accept", [], all_=True)
    ask(desk_)
    assert set(statuses(desk_).values()) == {"applied"}
    first, second = order
    desk_.session().change_directives("undo", [first])
    with_two = desk_.staged().read_text()
    assert with_two.count("It held there.") == 2
    assert statuses(desk_)[first] == "undone"
    assert ask(desk_).decision.data["applied"] == [d for d in (SHOW, SUBTEXT, JOIN) if d != first]
    desk_.session().change_directives("undo", [second])
    desk_.session().change_directives("undo", [SUBTEXT])
    assert desk_.staged().read_text() == DRAFT
    assert ask(desk_).decision.rationale.startswith("Nothing is open")
    assert desk_.calls().count("judge") == 1
    assert desk_.calls().count("summary") == 1


@pytest.mark.sweep
def test_accept_all_takes_what_is_pending_then_what_is_applied(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    desk_.session().change_directives("reject", [JOIN])
    desk_.session().change_directives("accept", [], all_=True)
    assert statuses(desk_) == {SHOW: "accepted", SUBTEXT: "accepted", JOIN: "rejected"}
    ask(desk_)
    desk_.session().change_directives("accept", [], all_=True)
    assert statuses(desk_) == {SHOW: "kept", SUBTEXT: "kept", JOIN: "rejected"}


@pytest.mark.sweep
def test_a_rejection_can_be_taken_back(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    desk_.session().change_directives("reject", [SHOW])
    desk_.session().change_directives("undo", [SHOW])
    sheet = desk_.session().directives()
    assert sheet is not None
    assert sheet.rejected == ()
    assert statuses(desk_)[SHOW] == "pending"


@pytest.mark.sweep
def test_commit_leaves_what_is_open_alone(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    desk_.decide("commit")
    assert isinstance(ask(desk_).outcome, Committed)
    assert desk_.text() == DRAFT
    assert set(statuses(desk_).values()) == {"pending"}


@pytest.mark.sweep
def test_draft_again_keeps_the_text_and_takes_the_note_along(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    desk_.decide("draft-again", note="더 천천히, 종소리는 마지막에.")
    assert ask(desk_).decision.kind == "review"
    drafts = [a for a in desk_.server.asked if "Write scene" in a.blocks[-1]["text"]]
    assert "더 천천히, 종소리는 마지막에." in block(drafts[-1], "notes")
    text = (desk_.folder / "variations/chapter-001/chapter-01.md").read_text()
    assert text == DRAFT


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("action", "ids", "sentence"),
    [
        ("accept", ["dir_cut_009"], "There is no directive dir_cut_009."),
        ("accept", [], "Name at least one directive"),
        ("edit", [SHOW], "An edit needs --instruction or --text."),
    ],
)
def test_what_cannot_be_decided_is_said(
    desk: OpenDesk, action: Any, ids: list[str], sentence: str
) -> None:
    desk_ = at_review(desk)
    with pytest.raises(StudioError) as caught:
        desk_.session().change_directives(action, ids)
    assert sentence in caught.value.problem.message
    assert caught.value.problem.exit_code == 2


@pytest.mark.sampled
@pytest.mark.parametrize("option", ["", "publish", "c0mmit"])
def test_an_option_that_is_not_there_changes_nothing(desk: OpenDesk, option: str) -> None:
    desk_ = at_review(desk)
    before = desk_.checkpoint
    with pytest.raises(StudioError, match="is not one of the options"):
        desk_.decide(option)
    assert desk_.checkpoint == before


# Rejections


# req: A15
@pytest.mark.sweep
def test_a_rejection_does_not_come_back_after_again(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    desk_.session().change_directives("reject", [SHOW])
    ask(desk_)
    desk_.decide("commit")
    ask(desk_)
    ran = desk_.write(review="ask", again=True)
    assert ran.decision.data["pending"] == [SUBTEXT, JOIN]
    assert desk_.calls().count("judge") == 2


@pytest.mark.sweep
def test_review_reject_records_every_rejection_and_asks_no_surgeon(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined, judge=judged(directives=PROPOSALS)))
    assert isinstance(desk_.write(review="reject").outcome, Committed)
    assert "surgery" not in desk_.calls()
    sheet = desk_.store.directives(1)
    assert sheet is not None
    assert {d.status for d in sheet.directives} == {DirectiveStatus.REJECTED}
    assert len(sheet.rejected) == 3
    assert desk_.text() == DRAFT


# Cut off


@pytest.mark.sweep
def test_a_scene_cut_off_is_a_question_in_ask_mode_alone(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=cut_scene()))
    assert desk_.write(review="accept").exit_code == 6
    other = desk(Model(draft=cut_scene()), novel="other")
    decision = other.write(review="ask").decision
    assert (decision.kind, decision.options) == ("cut_off", ("go-on", "again", "finished"))
    assert decision.recommendation == "go-on"
    assert decision.data["text"].startswith("Mara lifted")


# req: J3
@pytest.mark.sweep
def test_a_cut_scene_is_kept_as_far_as_it_came(desk: OpenDesk) -> None:
    desk_ = desk(Model(draft=cut_scene(), refine=unrefined))
    partial = desk_.write(review="ask").decision.data["text"]
    asked = len(desk_.server.asked)
    desk_.decide("keep")
    assert ask(desk_).decision.kind == "review"
    assert partial.strip() in desk_.staged().read_text()
    assert not any("Write scene 1" in a.blocks[-1]["text"] for a in desk_.server.asked[asked:])


@pytest.mark.sweep
def test_a_cut_scene_is_drafted_again(desk: OpenDesk) -> None:
    whole = Rule(text="\n\n".join(SCENES[1]))
    cut = Rule(mode="cut", after=20, text=whole.text)
    desk_ = desk(Model(draft=[cut, cut, cut, whole], refine=unrefined))
    assert desk_.write(review="ask").decision.kind == "cut_off"
    desk_.decide("again")
    assert ask(desk_).decision.kind == "review"
    version = (desk_.folder / "variations/chapter-001/scene-01-01.md").read_text("utf-8")
    assert whole.text is not None
    assert whole.text.startswith(version)


def test_words_of_hers_are_in_the_text_at_once_and_may_be_read_again(desk: OpenDesk) -> None:
    desk_ = at_review(desk)
    desk_.session().change_directives("edit", [SHOW], text="The boards were pale.")
    assert desk_.staged().read_text() == DRAFT.replace(SCENES[1][1], "The boards were pale.")
    assert "look-again" in ask(desk_).decision.options
    desk_.session().change_directives("undo", [SHOW])
    assert desk_.staged().read_text() == DRAFT
    assert statuses(desk_)[SHOW] == "undone"
