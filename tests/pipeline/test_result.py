"""What a program reads of a run."""

from __future__ import annotations

import pytest

from tests.fake_messages import Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, judged, violation

BELL = "Far out a bell rang where no buoy had been laid"


# req: E1
@pytest.mark.sweep
def test_a_committed_chapter_is_completed_with_its_measures(desk: OpenDesk) -> None:
    novel = desk()
    result = novel.session().result(novel.write().outcome)
    assert (result.status, result.exit_code, result.chapter) == ("completed", 0, 1)
    assert result.word_count == len(novel.text().split()) - len(
        ["#", "The", "Lamp", "Room", "*", "*", "*"]
    )
    assert result.quality_score == 4.2
    assert result.summary.startswith("Mara searches")


# req: E1
def test_a_broken_contract_is_a_conflict(desk: OpenDesk) -> None:
    novel = desk(Model(judge=judged(1.5, violations=[violation(BELL)])))
    result = novel.session().result(novel.write().outcome)
    assert (result.status, result.severity) == ("conflict_detected", "high")
    assert result.detail == "L1: No bell rings on this coast"
    assert result.exit_code == 4


# req: E1
def test_a_question_has_options_recommendation_and_rationale(desk: OpenDesk) -> None:
    novel = desk()
    result = novel.session().result(novel.write(review="ask").outcome)
    assert result.status == "requires_user_decision"
    assert result.recommendation in result.options
    assert result.rationale


def test_a_failed_run_says_why(desk: OpenDesk) -> None:
    novel = desk(Model(draft=Rule(mode="status", status=401)))
    result = novel.session().result(novel.write().outcome)
    assert (result.status, result.exit_code) == ("failed", 6)
    assert "key" in result.detail
