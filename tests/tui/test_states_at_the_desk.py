"""Each transition of the seed's table (seed 003, 8.2) and the key or the card by which the app does
it; all but the beginning of a book and the outline of a volume are done here, those by
`test_begin_a_book` and `test_volume_page`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from studio.pipeline.beginning.steps import confirm_question, question_of
from studio.project.store import ProjectStore
from studio.story import checkpoint
from studio.story.checkpoint import TRANSITIONS, Beginning, Checkpoint, Decision
from studio.story.checkpoint import OrchestratorState as S
from studio.story.checkpoint import Trigger as T
from studio.tui.actions import BY_ID
from studio.tui.screens.decision import DecisionScreen
from studio.tui.views.review.decision_card import card_of
from tests.fake_messages import Rule
from tests.pipeline.flows import Model, drafted, judged, make_novel
from tests.project.novels import put
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened

ACTIONS = {
    T.CREATE: "launcher.begin",
    T.WRITE: "desk.write",
    T.PASS: "desk.write",
    T.POLISH: "desk.write",
    T.REVISE: "desk.write",
    T.PAUSE: "desk.write",
    T.REWRITE: "desk.write",
    T.REVISED: "desk.write",
    T.ERROR: "desk.write",
    T.COMMIT: "desk.commit",
    T.REVIEWED: "desk.volume_review",
    T.OUTLINE: "desk.volume_plan",
}
"""The action that leads to a transition; the cards that come on its way are its own."""


def asks(kind: Any, name: str, *options: str) -> Decision:
    return Decision(
        id=name, kind=kind, recommendation=options[0], options=options, rationale=f"Now: {name}."
    )


END = asks("outline", "outline-01-001", "end-volume", "plan-more")
CARDS: dict[T, tuple[S, Decision, str]] = {
    T.SETTING: (S.QUICK_START, question_of("premise", None), "skip"),
    T.SAMPLE: (S.QUICK_START, question_of("style", None), "skip"),
    T.TRIALS: (S.WRITING, confirm_question(1), "next"),
    T.BRIEF: (S.WRITING, asks("brief", "brief-005", "go-on", "adjust"), "go-on"),
    T.PLAN_MORE: (S.WRITING, END, "plan-more"),
    T.END_VOLUME: (S.WRITING, END, "end-volume"),
    T.REVIEWED: (S.VOL_REVIEW, asks("clean_up", "clean-up-01", "leave", "accept"), "leave"),
}
"""Where the book stands, what its card asks, and the answer that leads to a transition."""


def test_every_transition_has_a_way_in_the_app() -> None:  # req: D2
    assert {trigger for _, trigger in TRANSITIONS} == {*ACTIONS, *CARDS}
    for action in ACTIONS.values():
        assert BY_ID[action].keys or BY_ID[action].title
    for _, question, option in CARDS.values():
        titles = {choice.option: choice.title for choice in card_of(question).choices}
        assert titles[option] != option, "an answer has a name of its own"


class _Watched(dict[tuple[S, T], S]):
    """The table, and which of its rows were asked for."""

    def __init__(self, rows: Mapping[tuple[S, T], S]) -> None:
        super().__init__(rows)
        self.asked: list[tuple[S, T]] = []

    def get(self, key: Any, default: Any = None) -> Any:
        self.asked.append(key)
        return super().get(key, default)


# req: D2
@pytest.mark.sweep
@pytest.mark.parametrize("trigger", CARDS)
async def test_a_card_leads_where_the_table_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trigger: T
) -> None:
    state, question, option = CARDS[trigger]
    folder = make_novel(tmp_path / "novel", contract=None)
    put(folder, "chapters/chapter-001.md", "# Fog\n\nMara counted the boats.\n")
    is_start = question.kind == "start"
    done = {} if trigger is not T.TRIALS else dict.fromkeys(("premise", "style"), "skipped")
    begun = Beginning.model_validate({"steps": done, "trials": 1}) if is_start else None
    last = 0 if trigger in (T.SETTING, T.SAMPLE) else 1
    ProjectStore(folder).save_checkpoint(
        Checkpoint(
            orchestrator_state=state,
            pending_decision=question,
            beginning=begun,
            last_completed_chapter=last,
        )
    )
    table = _Watched(TRANSITIONS)
    monkeypatch.setattr(checkpoint, "TRANSITIONS", table)
    async with opened(folder, dict(os.environ)) as studio:
        await studio.press("d")
        await studio.choose(option)
        await studio.until(lambda: (state, trigger) in table.asked, "the transition")
        await studio.settled()
    assert ProjectStore(folder).checkpoint().orchestrator_state is TRANSITIONS[state, trigger]


def watched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[S, T]]:
    """The rows of the table that are asked for, in their order."""
    table = _Watched(TRANSITIONS)
    monkeypatch.setattr(checkpoint, "TRANSITIONS", table)
    return table.asked


REVISED = [
    (S.WRITING, T.REVISE),
    (S.CHAPTER_REWRITE, T.REVISED),
    (S.WRITING, T.PASS),
]


# req: D2
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("scores", "option", "rows"),
    [((3.2, 4.2), "draft-again", REVISED), ((3.6,), "polish", [(S.WRITING, T.POLISH)])],
)
async def test_a_chapter_goes_through_its_gate_into_the_book(
    desk: OpenDesk,
    monkeypatch: pytest.MonkeyPatch,
    scores: Sequence[float],
    option: str,
    rows: list[tuple[S, T]],
) -> None:
    there = desk(Model(judge=[judged(score) for score in scores]))
    walked = watched(monkeypatch)
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.decide(option)
        await studio.decide("commit")
    whole = list(dict.fromkeys(row for row in walked if row in TRANSITIONS))
    assert whole == [(S.INIT, T.WRITE), *rows, (S.WRITING, T.COMMIT)]
    assert there.session().store.checkpoint().last_completed_chapter == 1


# req: D2
@pytest.mark.sweep
@pytest.mark.parametrize(("score", "trigger"), [(2.5, T.PAUSE), (1.5, T.REWRITE)])
async def test_a_weak_chapter_waits_for_her(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, score: float, trigger: T
) -> None:
    there = desk(Model(judge=judged(score)))
    rows = watched(monkeypatch)
    async with opened(there.folder, there.environ) as studio:
        await studio.to_review()
        await studio.sees(DecisionScreen)
    assert (S.WRITING, trigger) in rows
    at_rest = there.session().store.checkpoint()
    assert at_rest.orchestrator_state is TRANSITIONS[S.WRITING, trigger]
    assert at_rest.pending_decision is not None
    assert at_rest.pending_decision.kind == "gate"


# req: D2
@pytest.mark.sweep
async def test_an_error_of_the_server_is_gone_on_from(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuses = Rule(mode="status", status=401, error_type="authentication_error")
    there = desk(Model(draft=[refuses, drafted]))
    rows = watched(monkeypatch)
    async with opened(there.folder, there.environ) as studio:
        await studio.write_next()
        assert studio.store.checkpoint().orchestrator_state is S.ERROR_RETRY
        await studio.write_next()
        assert studio.store.checkpoint().orchestrator_state is S.WRITING
    assert rows.index((S.WRITING, T.ERROR)) < rows.index((S.ERROR_RETRY, T.WRITE))
