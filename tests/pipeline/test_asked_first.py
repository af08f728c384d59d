"""Questions before a chapter is drafted: asked where she wants it, once, and remembered."""

from __future__ import annotations

import pytest

from studio.errors import StudioError
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import CONTRACT, SETTINGS, Desk, Model, ask, asked_for, block
from tests.project.novels import put

ASKING = SETTINGS + "[generation]\nask_first = true\n"
LETTER = "누가 편지를 썼나요?"
QUESTIONS = [LETTER, "Is it the same night?", LETTER, " \x1b[2J", "Why?", "And why not?"]


def asking(desk: OpenDesk, *more: Rule, settings: str = ASKING) -> Desk:
    answers = [Rule(value={"questions": QUESTIONS}), *more]
    desk_ = desk(Model(questions=answers), settings=settings)
    plan = "volumes/vol-01/chapter-contracts/chapter-002.json"
    put(desk_.folder, plan, {**CONTRACT, "chapter": 2})
    return desk_


# req: B3 E1
@pytest.mark.sweep
def test_she_is_asked_before_the_draft_and_her_answer_goes_along(desk: OpenDesk) -> None:
    desk_ = asking(desk, Rule(value={"questions": ["Another?"]}))
    decision = desk_.write(review="ask", direction="Let it rain.").decision
    assert (decision.kind, decision.options) == ("questions", ("answer", "skip"))
    assert decision.data["questions"] == [LETTER, "Is it the same night?", "␛[2J"]
    assert not asked_for(desk_, "draft")
    (asked,) = asked_for(desk_, "questions")
    assert block(asked, "direction") == "Let it rain."
    assert "in English" in asked.blocks[-1]["text"]

    with pytest.raises(StudioError, match="answer is missing"):
        desk_.session().decide("answer", note=" ")
    assert ask(desk_).decision == decision  # asked again, and no model for it
    desk_.session().decide("answer", note="Mara. 같은 밤이다.")
    assert desk_.resume(review="ask", direction="Let it snow.").decision.kind == "review"
    wish = block(asked_for(desk_, "draft")[0], "direction").splitlines()
    assert wish[:2] == ["Let it snow.", LETTER]
    assert wish[-1] == "→ Mara. 같은 밤이다."
    assert len(asked_for(desk_, "questions")) == 1

    # The chapter is given up and begun anew: it is not asked about twice, and the answer stands.
    desk_.session().discard()
    assert desk_.write(review="ask").decision.kind == "review"
    assert "같은 밤이다" in block(asked_for(desk_, "draft")[-1], "direction")
    assert desk_.resume().committed
    again = desk_.write(review="ask").decision
    assert again.data["questions"] == ["Another?"]
    settled = block(asked_for(desk_, "questions")[-1], "notes")
    assert LETTER in settled
    assert settled.endswith("Mara. 같은 밤이다.")
    assert not block(asked_for(desk_, "questions")[-1], "direction")


@pytest.mark.sweep
def test_what_she_leaves_open_is_no_wish_and_is_not_asked_again(desk: OpenDesk) -> None:
    desk_ = asking(desk)
    desk_.write(review="ask")
    desk_.session().decide("skip")
    assert ask(desk_).decision.kind == "review"
    assert not block(asked_for(desk_, "draft")[0], "direction")
    (asked,) = desk_.store.checkpoint().asked
    assert (asked.chapter, asked.answer) == (1, "")


@pytest.mark.sampled
@pytest.mark.parametrize("settings", [SETTINGS, ASKING])
def test_nobody_is_asked_unless_she_wants_it_and_is_there(desk: OpenDesk, settings: str) -> None:
    desk_ = asking(desk, settings=settings)
    assert desk_.write(review="accept" if settings == ASKING else "ask").exit_code in (0, 4)
    assert not asked_for(desk_, "questions")
    assert asked_for(desk_, "draft")


@pytest.mark.sweep
@pytest.mark.parametrize(
    "answer", [Rule(value={"questions": []}), Rule(text="What a chapter!")], ids=["none", "chat"]
)
def test_a_model_that_has_nothing_to_ask_delays_nothing(desk: OpenDesk, answer: Rule) -> None:
    desk_ = desk(Model(questions=answer), settings=ASKING)
    assert desk_.write(review="ask").decision.kind == "review"
    calls = len(asked_for(desk_, "questions"))
    ask(desk_)
    assert len(asked_for(desk_, "questions")) == calls


def test_the_question_is_shown_before_it_is_asked(desk: OpenDesk) -> None:
    desk_ = asking(desk)
    preview = desk_.session().previews().of_agent("plot-architect", 1)
    desk_.write(review="ask")
    (asked,) = asked_for(desk_, "questions")
    assert hasattr(preview, "request")
    system, *_ = (m.content for m in preview.request.messages)
    sent = "\n\n".join(part["text"] for part in asked.body["system"])
    assert system == sent


# req: B3
@pytest.mark.sweep
def test_answers_given_one_by_one_stand_each_under_its_question(desk: OpenDesk) -> None:
    desk_ = asking(desk, Rule(value={"questions": []}))
    desk_.write(review="ask")
    desk_.session().decide("answer", note="Mara.\n\nYes, the same.\nLeave it out.")
    desk_.resume(review="ask")
    wish = block(asked_for(desk_, "draft")[0], "direction").splitlines()
    assert wish[:4] == [LETTER, "→ Mara.", "Is it the same night?", "→ Yes, the same."]
