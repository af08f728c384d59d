"""What the gate has polished, and what it asks of her before: faults with their places, never a
bare score, and never the praise of a line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studio.llm.structured import AnswerReader
from studio.pipeline.outcome import Committed
from studio.story.checkpoint import PipelineStage
from studio.story.review.answers import UNSAID, JudgeAnswer
from studio.story.review.evaluation import (
    Score,
    Violation,
    help_of,
    notes_beside,
    warning_of,
)
from studio.tui.desk.text import resting_stages
from studio.tui.views.review.decision_card import card_of
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    Model,
    ask,
    block,
    directive,
    judged,
    kind_of,
    refined,
    unrefined,
    violation,
)

FAR_OUT = "Far out a bell rang"
PRAISE = "“until the cold came through” is a living sentence."


def without_the_bell(asked: Asked) -> Rule:
    """The passage as the surgeon mends it."""
    passage = block(asked, "passage").partition("] ")[2]
    return Rule(text=passage.replace(FAR_OUT, "Far out nothing rang"))


def of_style(score: float, reason: str, fault: str = "", **other: Any) -> Rule:
    """A judgement below 4 whose style has this reason and this fault, and no other has one."""
    rule = judged(3.7, style_naturalness=score, **other)
    for name, entry in rule.value["scores"].items():
        entry["fault"] = UNSAID if fault == UNSAID else ""
        if name == "style_naturalness":
            entry["reason"], entry["fault"] = reason, fault
    return rule


def test_a_score_without_a_fault_of_its_own_says_not_that_there_is_none() -> None:
    """Both forms are read; beside a judgement the fake server leaves out no field."""
    rule = judged(3.7)
    for entry in rule.value["scores"].values():
        del entry["fault"]
    rule.value["scores"]["pacing"]["fault"] = ""
    answer = AnswerReader(JudgeAnswer).value(json.dumps(rule.value))
    assert answer is not None
    assert (answer.scores.character.fault, answer.scores.pacing.fault) == (UNSAID, "")
    assert Score(score=3.5, reason="It drags.").to_mend == "It drags."
    assert not Score(score=4, reason="It moves.").to_mend
    assert not Score(score=3, reason="Nothing was due.", fault="").to_mend


@pytest.mark.parametrize("form", [UNSAID, ""], ids=["the form before", "with a fault of its own"])
def test_a_reason_that_praises_is_no_fault_to_mend(desk: OpenDesk, form: str) -> None:
    """Met: “‘…’ is a living sentence”, given for 4 of 5, and a paid call for it."""
    wording = {**directive(1, 2, type="wording"), "issue": "Nobody would say that."}
    answer = of_style(4.0, PRAISE, form, directives=[wording])
    desk_ = desk(Model(refine=unrefined, judge=answer))
    assert desk_.write(review="ask").decision.options[0] == "polish"
    desk_.decide("polish")
    assert ask(desk_).decision.kind == "review"
    asked = [one for one in desk_.server.asked if kind_of(one) == "refine"]
    assert block(asked[-1], "notes") == "[1.2] Nobody would say that. Show it."


@pytest.mark.parametrize("mode", ["ask", "accept"])
def test_a_bare_score_asks_nothing_and_pays_for_nothing(desk: OpenDesk, mode: str) -> None:
    desk_ = desk(Model(refine=unrefined, judge=of_style(4.0, PRAISE)))
    ran = desk_.write(review=mode)
    if mode == "ask":
        assert ran.decision.kind == "review"
    else:
        assert isinstance(ran.outcome, Committed)
    assert desk_.calls().count("refine") == 1
    assert "nothing is named that a polish of its language would mend" in ran.warnings


def test_the_question_says_what_is_to_be_better_and_where(desk: OpenDesk) -> None:
    fault = "“until the cold came through” is ornament."
    desk_ = desk(Model(refine=unrefined, judge=of_style(3.5, "It is uneven.", fault)))
    decision = desk_.write(review="ask").decision
    assert str(decision.rationale) == (
        "Its language needs another polish: 1.3: “until the cold came through” is ornament;"
        " overall 3.6 of 5."
    )
    assert decision.data["notes"] == [f"1.3: {fault}"]
    assert not decision.data["where"]
    card = card_of(decision)
    assert "\n".join((card.happened, *card.facts)).count("is ornament") == 1
    assert "Its small changes wait in the review" in decision.data["options"]["polish"]


def test_after_a_mended_breach_no_weaker_gate_is_put(desk: OpenDesk) -> None:
    broken = of_style(3.5, "", "It is uneven.", violations=[violation(FAR_OUT)])
    desk_ = desk(
        Model(
            refine=unrefined,
            surgery=without_the_bell,
            judge=[broken, of_style(3.5, "", "It is uneven.")],
        )
    )
    assert desk_.write(review="ask").decision.options[0] == "mend"
    desk_.decide("mend")
    ran = ask(desk_)
    assert ran.decision.kind == "review"
    assert "you have answered about this draft" in ran.warnings
    left = help_of(desk_.store.staging_of(1).sheet(), desk_.store.staging_of(1).evaluation()).advice
    assert [str(one.issue) for one in left] == ["style naturalness: It is uneven."]


def test_the_gate_says_that_the_review_has_a_fix_for_the_same_place(desk: OpenDesk) -> None:
    number = next(n for n, words in enumerate(SCENES[1], start=1) if FAR_OUT in words)
    fix = directive(1, number, type="fact-correction")
    broken = judged(4.2, violations=[violation(FAR_OUT)], directives=[fix])
    desk_ = desk(Model(refine=unrefined, judge=broken))
    options = desk_.write(review="ask").decision.data["options"]
    assert f"is among its proposals (1.{number})." in options["review"]


def test_a_warning_says_which_rule_and_where_before_why() -> None:
    """Met: “The plan of the chapter, perhaps broken: He knows her name …”, of which item nobody
    knew."""
    breach = Violation(
        layer="L3",
        confidence="low",
        rule="Mr Pryor gives her a pear.",
        quote="He held it out through the glass.",
        explanation="He knows her name.",
    )
    assert warning_of(breach) == (
        "The plan of the chapter, perhaps broken: Mr Pryor gives her a pear (“He held it out"
        " through the glass.”). He knows her name."
    )
    before = "The plan of the chapter, perhaps broken: He knows her name."
    assert notes_beside([breach], [warning_of(breach), before, "A note."]) == ("A note.",)


def test_a_chapter_that_was_polished_is_still_one_that_was_read(desk: OpenDesk) -> None:
    """Met: no ✓ at the reading, as the chapter counted as refined alone."""
    fault = "“until the cold came through” is ornament."
    desk_ = desk(Model(refine=[unrefined, refined], judge=of_style(3.5, "It is uneven.", fault)))
    assert desk_.write(review="ask").decision.kind == "gate"
    assert resting_stages(desk_.checkpoint)["gate"] == "finished", "it is read while it asks, too"
    desk_.decide("polish")
    assert ask(desk_).decision.kind == "review"
    assert desk_.checkpoint.pipeline_stage is PipelineStage.GATED
    assert resting_stages(desk_.checkpoint)["gate"] == "finished"
