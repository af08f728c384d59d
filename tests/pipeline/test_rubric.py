"""The judge's rubric: issues, drifts and targets beside each heading, transitions by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from studio.pipeline.judging.placement import evaluation_beside
from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, block, directive, judged, unrefined
from tests.project.novels import put

EXEMPLAR = (
    "---\nscene_type: description\nemotional_tone: calm\nkind: good\nsource: ours\n---\n\n{}\n"
)


def judgement(**more: Any) -> Rule:
    value = judged(4.2, pacing=3.0).value
    assert isinstance(value, dict)
    return Rule(value={**value, **more})


# req: F4
# req: A8
def test_the_assessment_has_issues_drifts_and_a_transition_score_of_its_own(
    desk: OpenDesk,
) -> None:
    judge = judgement(
        prose_issues=["“like a tablecloth” is one comparison too many.", "  "],
        voice_drifts=["Joss speaks like his father."],
        transitions={"score": 2.5, "reason": "The stairs come late.", "issues": ["No hour."]},
    )
    desk_ = desk(Model(refine=unrefined, judge=judge))
    desk_.write()
    evaluation = desk_.store.evaluation(1)
    assert evaluation is not None
    assessment = evaluation.assessment
    assert assessment.prose_quality["issues"] == ["“like a tablecloth” is one comparison too many."]
    assert assessment.character_voice["driftInstances"] == ["Joss speaks like his father."]
    assert (assessment.transition_quality["score"], assessment.transition_quality["verdict"]) == (
        2.5,
        "The stairs come late.",
    )
    assert assessment.transition_quality["issues"] == ["No hour."]
    assert assessment.transition_quality["chapter_end"]["ends_on"]
    assert {"required"} <= set(assessment.sensory_grounding)
    assert {"threshold"} <= set(assessment.filter_word_density)


# req: A8
@pytest.mark.sampled
@pytest.mark.parametrize(("proposals", "verdict"), [((), "PASS"), ((directive(1, 2),), "REVISE")])
def test_the_verdict_is_to_revise_where_a_directive_is_open_and_only_there(
    desk: OpenDesk, proposals: tuple[dict[str, Any], ...], verdict: str
) -> None:
    desk_ = desk(Model(refine=unrefined, judge=judged(4.2, directives=proposals)))
    desk_.write(review="ask")
    sheet = desk_.session().directives()
    assert sheet is not None
    evaluation = evaluation_beside(desk_.store, sheet)
    assert evaluation is not None
    assert (evaluation.verdict, len(sheet.open)) == (verdict, len(proposals))


@pytest.mark.sweep
@pytest.mark.parametrize("score", [None, 9.0])
def test_no_other_score_stands_in_for_the_transitions(desk: OpenDesk, score: float | None) -> None:
    given = {} if score is None else {"transitions": {"score": score, "reason": "", "issues": []}}
    desk_ = desk(Model(refine=unrefined, judge=judgement(**given)))
    desk_.write()
    evaluation = desk_.store.evaluation(1)
    assert evaluation is not None
    assert evaluation.assessment.transition_quality["score"] is None


@pytest.mark.sweep
def test_the_judge_sees_two_exemplars_before_it_speaks_of_the_author(desk: OpenDesk) -> None:
    desk_ = desk(Model(refine=unrefined))
    for number in range(3):
        text = EXEMPLAR.format(f"The quay lay dry, step {number}.")
        put(desk_.folder, f"style-library/quay-{number}.md", text)
    desk_.write()
    asked = desk_.server.asked[desk_.calls().index("judge")]
    assert block(asked, "exemplars").count("The quay lay dry") == 2
