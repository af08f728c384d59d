"""Measures have one name each, a writer's, on every page (A13)."""

from __future__ import annotations

import pytest

from studio.config.catalog import all_settings
from studio.config.schema import Settings
from studio.pipeline.events import DecisionRequired, DirectiveEvent, Finish
from studio.pipeline.review.decisions import REJECTED_BY_MODE
from studio.story.review.evaluation import Evaluation, Measure, ReferenceRange
from studio.story.review.surgery import SurgeryResult
from studio.story.status import DirectiveStatus
from studio.text.metrics.metric_kinds import METRICS, metric_words
from studio.text.oracle.fix_effect import statement
from studio.tui.views.pages.chapter import evaluation_lines
from studio.tui.views.pages.settings import ACTION_IDS, setting_rows
from studio.tui.views.review.directive_text import detail
from studio.tui.views.run.moment import begin_run
from studio.tui.views.run.run_state import apply_events
from studio.tui.views.words import Line
from tests.tui.lines import directive, words_of

MEASURES = {
    name: Measure(
        value=0.25, unit="per 1000 words", n=9, threshold={METRICS[name].sides[0]: 0.5}, ok=True
    )
    for name in METRICS
}


def said(line: Line) -> str:
    return "".join(piece.text for piece in line)


@pytest.mark.parametrize("name", METRICS)
def test_every_measure_has_a_name_of_a_writer(name: str) -> None:  # req: A13
    assert "_" not in metric_words(name)
    assert not any(word in metric_words(name) for word in ("density", "ratio", "cv"))


def test_the_evaluation_and_the_settings_use_that_name() -> None:  # req: A13
    evaluation = Evaluation(chapter=1, source_sha256="0" * 64, metrics=MEASURES)
    page = [said(line) for line in evaluation_lines(evaluation)]
    rows = [said(r.line) for r in setting_rows(Settings(), all_settings(METRICS, ACTION_IDS))]
    for name, kind in METRICS.items():
        words = metric_words(name)
        assert any(f"  {words}" in line for line in page) == kind.is_reported
        end = {"min": "from", "max": "under"}[kind.sides[0]]
        assert any(f" {words}, {end}" in row for row in rows), words
    assert "dialogue ratio" not in "\n".join(page)


# req: A10
@pytest.mark.parametrize("name", [name for name, kind in METRICS.items() if kind.needs_target])
def test_a_number_that_leads_to_nothing_is_shown_to_whoever_set_a_target_for_it(name: str) -> None:
    evaluation = Evaluation(chapter=1, source_sha256="0" * 64, metrics=MEASURES)
    words = f"  {metric_words(name)}"
    by_method = {name: MEASURES[name].threshold or {}}
    assert any(words in said(line) for line in evaluation_lines(evaluation))
    assert not any(words in said(line) for line in evaluation_lines(evaluation, by_method))


USUAL = ReferenceRange(p5=0.2, p50=0.5, p95=0.8, n=88)


# req: A16
@pytest.mark.sweep
@pytest.mark.parametrize("name", METRICS)
def test_a_number_is_silent_that_published_chapters_have_or_that_nothing_published_stands_behind(
    name: str,
) -> None:
    kind = METRICS[name]
    bare = MEASURES[name].model_copy(update={"threshold": None, "ok": None})
    usual = bare.model_copy(update={"value": 0.5, "reference": USUAL, "place": 0.5})
    worse = {"max": 0.95, "min": 0.05}[kind.sides[0]]
    outside = usual.model_copy(update={"value": worse, "place": worse})
    none = bare.model_copy(update={"value": 0.0})

    def page(measure: Measure) -> str:
        evaluation = Evaluation(chapter=1, source_sha256="0" * 64, metrics={name: measure})
        return "\n".join(said(line) for line in evaluation_lines(evaluation))

    words = f"  {metric_words(name)}"
    assert (words in page(bare)) == (words in page(usual)) == kind.is_find
    is_silent = kind.needs_target or not kind.is_reported
    assert (words in page(outside)) == (kind.is_find or not is_silent)
    assert words not in page(none)
    assert "No number stands out." in page(none)


def test_a_measure_says_its_limit_and_a_share_is_in_per_cent() -> None:
    measures = {
        "filter_word_density": Measure(
            value=7.2, unit="per 1000 words", n=9, threshold={"max": 5.0}, ok=False
        ),
        "dialogue_ratio": Measure(value=0.25, unit="share", n=9, threshold={"min": 0.2}, ok=True),
    }
    evaluation = Evaluation(chapter=1, source_sha256="0" * 64, metrics=measures)
    page = "\n".join(said(line) for line in evaluation_lines(evaluation))
    assert "7.2  filter words · per 1000 words · under 5  high" in page
    assert "25%  share of dialogue · from 20%  ok" in page


# req: A16
def test_a_measure_says_whose_target_it_is_and_what_published_chapters_have() -> None:
    reference = ReferenceRange(p5=4, p50=13, p95=26, n=88)
    run = Measure(
        value=15,
        unit="sentences",
        n=99,
        threshold={"max": 5},
        ok=False,
        reference=reference,
        place=0.56,
    )
    evaluation = Evaluation(chapter=1, source_sha256="0" * 64, metrics={"same_ending_run": run})
    lines = list(evaluation_lines(evaluation, {"same_ending_run": {"max": 5}}))
    row = next(n for n, line in enumerate(lines) if "end alike" in said(line))
    assert "seed target under 5  high" in said(lines[row])
    assert lines[row][-1].tone == "quiet"
    assert "About 4 in 10 published chapters have more." in said(lines[row + 1])
    own = "\n".join(said(line) for line in evaluation_lines(evaluation))
    assert "seed target" not in own


def test_the_log_names_a_directive_by_kind_and_place_and_a_question_by_its_title() -> None:
    fields = {
        "id": "dir_cut_001",
        "type": "cut",
        "status": "applied",
        "location": {"sceneNumber": 2, "paragraphStart": 6, "paragraphEnd": 6},
    }
    question = DecisionRequired(
        id="q", kind="gate", recommendation="keep", options=("keep",), rationale="", data={}
    )
    ends = (
        Finish(stage="draft", agent="scene-drafter", finishReason="end"),
        Finish(stage="draft", agent="scene-drafter", finishReason="max_tokens"),
    )
    state = apply_events(begin_run(3), (DirectiveEvent(directive=fields), question, *ends))
    assert state.journal == (
        "Cut in scene 2 ¶6: in the text: keep it or undo it",
        "your decision: The chapter is held back",
        "the answer broke off (max_tokens)",
    )


def test_what_is_settled_is_not_asked_about_again() -> None:
    result = SurgeryResult(
        location={"scene_number": 1, "paragraph_start": 1, "paragraph_end": 1},
        before="그는 다시 말했다.",
        after="그는 말했다.",
        before_sha256="0" * 64,
        after_sha256="1" * 64,
        paragraphs_touched=1,
    )
    sentences = {
        status: statement(directive(status=status, result=result))
        for status in (DirectiveStatus.APPLIED, DirectiveStatus.KEPT)
    }
    assert sentences[DirectiveStatus.APPLIED].endswith("keep the fix?")
    assert "keep the fix?" not in sentences[DirectiveStatus.KEPT]


def test_a_rejection_of_the_review_mode_is_told_in_words() -> None:
    page = words_of(detail(directive(status=DirectiveStatus.REJECTED, note=REJECTED_BY_MODE)))
    assert "The review mode rejected it" in page
    assert "--review" not in page
