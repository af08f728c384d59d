"""What a page of the review says, it says once, in sentences, in the writer's language."""

from __future__ import annotations

import pytest

from studio import i18n
from studio.messages import said
from studio.pipeline.events import StageEvent, WarningEvent
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.evaluation import Evaluation, GateResult, Violation, warning_of
from studio.story.review.passage import PassageLocation
from studio.story.status import DirectiveStatus
from studio.text.prose.answer import first_words
from studio.tui.views.pages.chapter import evaluation_lines
from studio.tui.views.review.directive_text import detail
from studio.tui.views.run.moment import begin_run
from studio.tui.views.run.run_state import apply_events
from tests.tui.lines import words_of

DIRECTIVE = Directive(
    id="dir_show_not_tell_001",
    type=DirectiveType.SHOW_NOT_TELL,
    priority=2,
    location=PassageLocation(scene_number=1, paragraph_start=2, paragraph_end=2),
    issue="슬픔을 이름으로 말한다.",
    current_text="She was sad.",
    instruction="用动作来表现。",
    max_scope=1,
    origin="judge",
)


# req: H4
def test_a_passage_that_is_its_own_evidence_is_shown_once() -> None:
    whole = DIRECTIVE.model_copy(update={"evidence": ("She was sad.",)})
    part = DIRECTIVE.model_copy(update={"evidence": ("was sad",)})
    assert words_of(detail(whole)).count("She was sad.") == 1
    assert "Evidence" not in words_of(detail(whole))
    assert "Evidence\n“was sad”" in words_of(detail(part))


# req: H4
def test_a_violation_is_not_said_again_among_the_notes() -> None:
    violation = Violation(
        layer="L1", confidence="low", rule="종은 울리지 않는다", explanation="鐘が鳴る"
    )
    warnings = (warning_of(violation), "Scene 1 has 430 characters, less than 500.")
    evaluation = Evaluation(
        chapter=1, source_sha256="0" * 64, violations=(violation,), warnings=warnings
    )
    page = words_of(evaluation_lines(evaluation))
    assert page.count("鐘が鳴る") == 1
    assert "low confidence" not in page
    assert "Scene 1 has 430 characters" in page


# req: H4
def test_why_a_fix_failed_is_a_sentence() -> None:
    failed = DIRECTIVE.model_copy(
        update={
            "status": DirectiveStatus.FAILED,
            "failures": (said("the text came back unchanged"),),
        }
    )
    assert "The text came back unchanged." in words_of(detail(failed))


# req: H6
@pytest.mark.parametrize(("language", "scene"), [("ko", "장면"), ("zh", "场")])
def test_the_log_of_a_run_is_in_the_writers_language(language: str, scene: str) -> None:
    i18n.use(language)
    few = "Scene {scene} has {number} characters, less than {least}."
    warning = WarningEvent(message=said(few, scene=1, number=430, least=500))
    note = StageEvent(name="draft", status="finished", note=said("{n} scenes", n=2))
    log = "\n".join(apply_events(begin_run(3), (warning, note)).journal)
    assert "characters" not in log
    assert "scenes" not in log
    assert scene in log


def test_the_first_words_of_speech_are_a_quotation_in_a_quotation() -> None:
    assert first_words("“누구예요?” 그는 문을 닫았다.") == "“‘누구예요?’ 그는 문을 닫았다.”"


# req: H4
def test_the_overall_score_is_not_said_again_beside_the_verdict_nor_in_english() -> None:
    """Also of a record from before reasons were messages."""
    for reason in ("overall 4.26", said("overall {overall}", overall="4.3")):
        judged = GateResult.model_validate({"verdict": "pass", "reasons": ()})
        gate = judged.model_copy(update={"reasons": (reason, "the chapter names them")})
        evaluation = Evaluation(chapter=1, source_sha256="0" * 64, overall=4.26, gate=gate)
        page = words_of(evaluation_lines(evaluation))
        assert "4.2 of 5" in page
        assert "overall 4" not in page
        assert "(the chapter names them)" in page
