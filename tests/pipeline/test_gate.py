"""The gate: its table as pure functions, and every row end to end in every review mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio import i18n
from studio.config.load import user_config_path
from studio.pipeline.judging.gate import GateInput, band, judge_gate, overall_score
from studio.pipeline.outcome import Committed
from studio.story.checkpoint import PipelineStage
from studio.story.review.evaluation import (
    SCORE_NAMES,
    Confidence,
    GateVerdict,
    Score,
    Scores,
    Violation,
)
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    SCENES,
    Desk,
    Model,
    Ran,
    judged,
    scene_number,
    unrefined,
    violation,
)
from tests.sweeps import swept

MODES = ("ask", "accept", swept("reject"))
WEIGHTS = st.fixed_dictionaries(dict.fromkeys(SCORE_NAMES, st.floats(0.001, 100)))


def even(score: float, **scenes: int) -> Scores:
    return Scores(**{n: Score(score=score, scene=scenes.get(n)) for n in SCORE_NAMES})


def given_overall(overall: float, **more: Any) -> GateInput:
    return GateInput(scores=even(min(5.0, max(1.0, overall))), overall=overall, **more)


def broken(confidence: Confidence = "high", scene: int | None = None) -> Violation:
    return Violation(layer="L2", confidence=confidence, rule="Mara cannot swim", scene=scene)


# req: D3
@pytest.mark.parametrize(
    ("overall", "verdict"),
    [
        (5.0, "pass"),
        (4.0, "pass"),
        (3.9999, "polish"),
        (3.5, "polish"),
        (3.4999, "revise"),
        (3.0, "revise"),
        (2.9999, "pause"),
        (2.0, "pause"),
        (1.9999, "rewrite"),
        (1.0, "rewrite"),
    ],
)
def test_bands_are_half_open(overall: float, verdict: str) -> None:
    assert band(overall) == verdict
    assert judge_gate(given_overall(overall)).verdict == verdict


# req: D3
@given(WEIGHTS, st.sampled_from([1.0, 2.0, 3.0, 3.5, 4.0, 5.0]))
def test_eight_equal_scores_are_that_score_under_any_weights(
    weights: dict[str, float], score: float
) -> None:
    assert overall_score(even(score), weights) == score


def test_the_default_weights_are_those_of_the_design() -> None:
    one_high = even(3.0).model_copy(update={"plot_logic": Score(score=5.0)})
    assert overall_score(one_high) == 3.36


# req: B5
@given(st.floats(1, 5))
def test_a_high_violation_means_at_least_a_revision(overall: float) -> None:
    verdict = judge_gate(given_overall(overall, violations=(broken(),))).verdict
    worse = band(overall) in (GateVerdict.PAUSE, GateVerdict.REWRITE)
    assert verdict == (band(overall) if worse else GateVerdict.REVISE)


# req: B5
@given(st.floats(1, 5), st.lists(st.sampled_from(["medium", "low"]), max_size=4))
def test_medium_and_low_violations_never_block(overall: float, levels: list[Confidence]) -> None:
    violations = tuple(broken(confidence) for confidence in levels)
    assert judge_gate(given_overall(overall, violations=violations)).verdict == band(overall)


# req: B5
# req: D3
@pytest.mark.parametrize(
    ("overall", "violations", "verdict", "forced"),
    [
        (3.0, (), "pass", True),
        (3.4, (broken("medium"),), "pass", True),
        (3.4, (broken(),), "pause", False),
        (4.5, (broken(),), "pause", False),
        (2.9, (), "pause", False),
        (1.2, (), "pause", False),
        (4.0, (), "pass", False),
    ],
)
def test_after_two_revisions_it_is_good_enough_or_a_person_looks(
    overall: float, violations: tuple[Violation, ...], verdict: str, forced: bool
) -> None:
    result = judge_gate(given_overall(overall, violations=violations, revisions_done=2))
    assert (result.verdict, result.force_passed) == (verdict, forced)


# req: D3
def test_a_chapter_is_polished_once() -> None:
    assert judge_gate(given_overall(3.7)).verdict is GateVerdict.POLISH
    again = judge_gate(given_overall(3.7, polished=True))
    assert again.verdict is GateVerdict.PASS
    assert not again.force_passed


def test_no_writer_runs_on_the_authors_own_text() -> None:
    assert judge_gate(given_overall(3.7, own_text=True)).verdict is GateVerdict.PASS
    for overall in (3.2, 2.5, 1.5):
        result = judge_gate(given_overall(overall, own_text=True, revisions_done=2))
        assert result.verdict == band(overall)


def test_without_a_judge_it_is_unjudged_whatever_else_is_known() -> None:
    result = judge_gate(GateInput(scores=None, overall=None, violations=(broken(),)))
    assert result.verdict is GateVerdict.UNJUDGED


# req: B5
def test_the_scenes_of_violations_and_weak_scores_are_drafted_again() -> None:
    weak = even(4.0).model_copy(update={"pacing": Score(score=3.4, scene=3)})
    fine = weak.model_copy(update={"character": Score(score=3.5, scene=2)})
    violations = (broken(scene=1), broken("low", scene=9))
    result = judge_gate(GateInput(fine, 3.2, violations, scene_count=3))
    assert result.scenes == (1, 3)


def test_with_no_scene_named_all_are_drafted_again() -> None:
    assert judge_gate(given_overall(3.2, scene_count=3)).scenes == ()


@given(
    st.floats(1, 5),
    st.lists(st.sampled_from(["high", "medium", "low"]), max_size=3),
    st.integers(0, 5),
    st.booleans(),
    st.booleans(),
)
def test_the_gate_always_says_why_and_never_forces_a_high_violation_through(
    overall: float, levels: list[Confidence], done: int, polished: bool, own: bool
) -> None:
    result = judge_gate(
        given_overall(
            overall,
            violations=tuple(broken(c) for c in levels),
            revisions_done=done,
            polished=polished,
            own_text=own,
        )
    )
    assert result.reasons
    if result.force_passed:
        assert "high" not in levels
        assert overall >= 3
    if result.verdict is GateVerdict.PASS:
        assert "high" not in levels


# End to end


@dataclass(frozen=True)
class Row:
    """A row of the table on one kind of text: what each mode does, and who is asked."""

    name: str
    judge: Rule | tuple[Rule, ...]
    ask: str
    """What ask mode stops at: `gate` or `review`."""
    others: str
    """What accept and reject come to: `committed` or `gate`."""
    calls: tuple[str, ...]
    """Calls up to the end of accept and reject, behind the first summary."""
    badges: tuple[str, ...] = ()
    accepting: tuple[str, ...] | None = None
    """The same where accept has a breach mended first, which reject does not."""


BELL = "Far out a bell rang"
REFINE, JUDGE, SUMMARY, DRAFT = "refine", "judge", "summary", "draft"
MEND = ("surgery", "reader", SUMMARY, JUDGE)
ONCE = (REFINE, JUDGE)
DRAFTED = [
    Row("pass", judged(4.2), "review", "committed", ONCE),
    Row("polish", judged(3.7), "gate", "committed", (*ONCE, REFINE)),
    Row(
        "revise one scene",
        (judged(4.2, violations=[violation(BELL, scene=1)]), judged(4.2)),
        "gate",
        "committed",
        (*ONCE, DRAFT, SUMMARY, REFINE, JUDGE),
        accepting=(*ONCE, *MEND),
    ),
    Row(
        "revise all",
        (judged(3.2), judged(4.2)),
        "gate",
        "committed",
        (*ONCE, DRAFT, DRAFT, SUMMARY, *ONCE),
    ),
    Row(
        "revise twice, then good enough",
        judged(3.2),
        "gate",
        "committed",
        (*ONCE, *(2 * (DRAFT, DRAFT, SUMMARY, *ONCE))),
        ("passed after two revisions",),
    ),
    Row(
        "revise twice, still broken",
        judged(4.5, violations=[violation(BELL)]),
        "gate",
        "gate",
        (*ONCE, *(2 * (DRAFT, DRAFT, SUMMARY, *ONCE))),
        accepting=(*ONCE, *MEND, DRAFT, DRAFT, SUMMARY, *ONCE),
    ),
    Row("pause", judged(2.5), "gate", "gate", ONCE),
    Row("rewrite", judged(1.5), "gate", "gate", ONCE),
]
OWN = [
    Row("pass", judged(4.2), "review", "committed", (JUDGE,), ()),
    Row("polish", judged(3.7), "review", "committed", (JUDGE,), ()),
    Row("revise", judged(3.2), "gate", "gate", (JUDGE,)),
    Row("violation", judged(4.2, violations=[violation(BELL)]), "gate", "gate", (JUDGE,)),
    Row("pause", judged(2.5), "gate", "gate", (JUDGE,)),
    Row("rewrite", judged(1.5), "gate", "gate", (JUDGE,)),
]
NO_JUDGE_DRAFTED = Row("unjudged", Rule(), "review", "committed", (REFINE,), ("not judged",))
NO_JUDGE_OWN = Row("unjudged", Rule(), "review", "committed", (), ("not judged",))


def named(row: Row) -> str:
    return row.name


class Redrafting:
    """A drafter that never writes the same scene twice."""

    def __init__(self) -> None:
        self._calls = 0

    def __call__(self, asked: Asked) -> Rule:
        self._calls += 1
        sentence = f" That was telling {self._calls}."
        return Rule(text="\n\n".join(p + sentence for p in SCENES[scene_number(asked)]))


def check_row(desk: Desk, row: Row, mode: str, ran: Ran, before: list[str]) -> None:
    ran = ran
    expected = row.ask if mode == "ask" else row.others
    checkpoint = desk.checkpoint
    if expected == "committed":
        assert isinstance(ran.outcome, Committed), ran.outcome
        assert ran.exit_code == 0
        assert ran.committed.badges == row.badges
        assert checkpoint.pipeline_stage is PipelineStage.COMMITTED
        assert (checkpoint.last_completed_chapter, checkpoint.inflight_chapter) == (1, None)
        assert (checkpoint.force_passed == (1,)) == ("passed after two revisions" in row.badges)
        assert (checkpoint.unjudged == (1,)) == ("not judged" in row.badges)
    else:
        assert ran.exit_code == 4
        assert ran.decision.kind == expected
        assert desk.session().pending() == ran.decision
        assert checkpoint.inflight_chapter == 1
        assert not (desk.folder / "chapters").exists()
        assert ran.events[-1].type == "decision-required"
    if mode != "ask":
        calls = row.accepting if mode == "accept" and row.accepting else row.calls
        assert desk.calls() == [*before, *calls]
    assert not (desk.folder / ".novel.lock").exists()


# req: B5
# req: D3
# req: B6
@pytest.mark.sampled
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("row", DRAFTED, ids=named)
def test_every_row_on_a_drafted_chapter(desk: OpenDesk, row: Row, mode: str) -> None:
    desk_ = desk(Model(judge=row.judge, draft=Redrafting()))
    check_row(desk_, row, mode, desk_.write(review=mode), [DRAFT, DRAFT, SUMMARY])


# req: D3
@pytest.mark.sampled
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("row", OWN, ids=named)
def test_every_row_on_the_authors_own_text(desk: OpenDesk, row: Row, mode: str) -> None:
    desk_ = desk(Model(judge=row.judge))
    ran = desk_.write(review=mode, draft=own_file(desk_))
    check_row(desk_, row, mode, ran, [SUMMARY])


@pytest.mark.sampled
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("own", [False, True], ids=["drafted", "own"])
def test_a_chapter_no_model_can_judge_goes_through_with_a_badge(
    desk: OpenDesk, own: bool, mode: str
) -> None:
    desk_ = desk()
    config = user_config_path(desk_.environ)
    config.parent.mkdir(parents=True)
    config.write_text(f'[provider.endpoints."{desk_.server.url}"]\njudges = false\n')
    ran = desk_.write(review=mode, draft=own_file(desk_) if own else None)
    row = NO_JUDGE_OWN if own else NO_JUDGE_DRAFTED
    check_row(desk_, row, mode, ran, [SUMMARY] if own else [DRAFT, DRAFT, SUMMARY])


def own_file(desk_: Desk) -> Any:
    path = desk_.folder.parent / "mine.md"
    path.write_text("# Mine\n\n" + "\n\n".join(SCENES[1]))
    return path


# req: B6
@pytest.mark.sweep
def test_a_revision_is_drafted_on_the_deep_model_with_the_findings_as_notes(
    desk: OpenDesk,
) -> None:
    verdict = judged(4.2, violations=[violation(BELL, scene=1)])
    desk_ = desk(Model(judge=(verdict, judged())))
    ran = desk_.write(review="reject")
    assert isinstance(ran.outcome, Committed)
    asked = [a for a in desk_.server.asked if "Write scene" in a.blocks[-1]["text"]]
    revised = asked[-1]
    assert revised.body["model"] == "claude-opus-5-5"
    assert "No bell rings on this coast" in revised.prompt
    assert "No bell rings on this coast" not in asked[0].prompt
    assert "Again the lamp turned." in desk_.text()
    assert ran.worked == [
        "lock", "draft", "summarize", "refine", "judge", "gate",
        "draft", "summarize", "refine", "judge", "gate", "review", "commit",
    ]  # fmt: skip


# req: B6
@pytest.mark.sweep
def test_a_redraft_that_came_out_the_same_is_judged_anew(desk: OpenDesk) -> None:
    same = Rule(text="\n\n".join(SCENES[1]))
    desk_ = desk(Model(draft=same, refine=unrefined, judge=(judged(3.2), judged(4.5))))
    ran = desk_.write(review="accept")
    assert isinstance(ran.outcome, Committed)
    assert ran.outcome.badges == ()
    assert desk_.calls().count("judge") == 2
    assert desk_.calls().count("summary") == 2


@pytest.mark.sweep
def test_a_scene_that_was_not_named_stays_as_it_was(desk: OpenDesk) -> None:
    verdict = judged(4.2, violations=[violation(BELL, scene=1)])
    desk_ = desk(Model(judge=(verdict, judged())))
    desk_.write(review="reject")
    assert "\n\n".join(SCENES[2]) in desk_.text()


@pytest.mark.sweep
def test_a_quote_that_is_not_in_the_text_does_not_force_a_revision(desk: OpenDesk) -> None:
    desk_ = desk(Model(judge=judged(4.2, violations=[violation("The moon fell.")])))
    ran = desk_.write(review="accept")
    assert isinstance(ran.outcome, Committed)
    assert "counts as medium" in ran.warnings


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "overall 3.7 of 5"), ("ko", "총점 3.7/5"), ("zh", "总分 3.7（满分 5）")],
)
def test_a_score_in_the_reasons_says_of_how_much(language: str, words: str) -> None:
    i18n.use(language)
    assert i18n.translate(judge_gate(given_overall(3.72)).reasons[0]) == words
