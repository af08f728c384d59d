"""The memory of a storyline that somebody saves while a chapter waits is not replaced unsaid."""

from __future__ import annotations

import pytest

from studio.pipeline.outcome import Committed, Paused
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Desk
from tests.project.novels import put

MEMORY = "storylines/main/memory.md"
HERS = "미라는 종을 들었다. She wrote this herself. 灯还亮着。\n"


def written(desk: Desk, chapter: int, before_commit: str = "") -> str:
    """Writes a chapter in ask mode, with a save of the memory before it is committed; returns the
    warnings of the commit."""
    ran = desk.write(chapter=chapter, review="ask")
    for _ in range(9):
        if not isinstance(ran.outcome, Paused):
            break
        if ran.decision.kind == "review" and before_commit:
            put(desk.folder, MEMORY, before_commit)
        desk.decide(ran.decision.options[0] if ran.decision.kind != "review" else "commit")
        ran = desk.resume(review="ask")
    assert isinstance(ran.outcome, Committed), ran.outcome
    return ran.warnings


@pytest.mark.repairs("T15")
def test_a_memory_saved_between_summary_and_commit_is_kept_and_said(desk: OpenDesk) -> None:
    desk_ = desk()
    warnings = written(desk_, 1, before_commit=HERS)
    assert MEMORY in warnings
    shas = [v.sha for v in desk_.store.history.versions(MEMORY)]
    assert HERS.encode() in [desk_.store.history.blob(sha) for sha in shas]


def test_a_memory_saved_before_the_summary_is_what_it_carries_on(desk: OpenDesk) -> None:
    desk_ = desk()
    put(desk_.folder, MEMORY, HERS)
    assert MEMORY not in written(desk_, 1)
    shas = [v.sha for v in desk_.store.history.versions(MEMORY)]
    assert HERS.encode() in [desk_.store.history.blob(sha) for sha in shas]
