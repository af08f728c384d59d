"""The seed's table of states, a row a test (seed 003, 8.2)."""

from __future__ import annotations

import pytest

from studio.story.checkpoint import TRANSITIONS, Checkpoint, OrchestratorState, Trigger, move

S, T = OrchestratorState, Trigger
ROWS = [
    (S.INIT, T.CREATE, S.QUICK_START),
    (S.QUICK_START, T.SETTING, S.QUICK_START),
    (S.QUICK_START, T.SAMPLE, S.QUICK_START),
    (S.QUICK_START, T.TRIALS, S.VOL_PLANNING),
    (S.WRITING, T.TRIALS, S.VOL_PLANNING),
    (S.ERROR_RETRY, T.CREATE, S.QUICK_START),
    (S.WRITING, T.PLAN_MORE, S.WRITING),
    (S.WRITING, T.WRITE, S.WRITING),
    (S.WRITING, T.PASS, S.WRITING),
    (S.WRITING, T.POLISH, S.WRITING),
    (S.WRITING, T.REVISE, S.CHAPTER_REWRITE),
    (S.WRITING, T.PAUSE, S.WRITING),
    (S.WRITING, T.REWRITE, S.WRITING),
    (S.WRITING, T.BRIEF, S.WRITING),
    (S.CHAPTER_REWRITE, T.REVISED, S.WRITING),
    (S.WRITING, T.END_VOLUME, S.VOL_REVIEW),
    (S.VOL_REVIEW, T.REVIEWED, S.VOL_PLANNING),
    (S.VOL_PLANNING, T.OUTLINE, S.WRITING),
    (S.CHAPTER_REWRITE, T.COMMIT, S.WRITING),
]


# req: D2
@pytest.mark.parametrize(("state", "trigger", "target"), ROWS)
def test_a_trigger_leads_where_the_table_says(state: S, trigger: T, target: S) -> None:
    checkpoint = Checkpoint(orchestrator_state=state)
    assert move(checkpoint, trigger).orchestrator_state is target


# req: D2
@pytest.mark.parametrize("state", S)
def test_from_every_state_a_chapter_may_be_written_and_an_error_may_come(state: S) -> None:
    checkpoint = Checkpoint(orchestrator_state=state)
    assert move(checkpoint, T.WRITE).orchestrator_state is S.WRITING
    assert move(checkpoint, T.ERROR).orchestrator_state is S.ERROR_RETRY


def test_a_trigger_that_a_state_does_not_know_changes_nothing() -> None:
    checkpoint = Checkpoint(orchestrator_state=S.INIT)
    assert move(checkpoint, T.REVIEWED) == checkpoint
    assert (S.INIT, T.REVIEWED) not in TRANSITIONS
