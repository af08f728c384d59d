"""What is proposed for a volume waits in the checkpoint until something of it is taken."""

from __future__ import annotations

import pytest

from studio.errors import StudioError
from studio.pipeline.beginning.steps import OPENED
from studio.pipeline.volume.left_out import after_answer, other_put_by, put_by
from studio.story.checkpoint import Checkpoint, Decision, DecisionKind


def question(kind: DecisionKind, volume: int = 1, **data: object) -> Decision:
    """An open question about the book."""
    options = ("accept", "leave")
    more = {"outline": "## Chapter 1: Fog\n"} if kind == "outline" else {}
    data = {"volume": volume, **more, **data}
    return Decision(id=f"{kind}-{volume}", kind=kind, recommendation="", options=options, data=data)


PLAN, OTHER, TIDY = question("outline"), question("outline", 2), question("clean_up")


@pytest.mark.parametrize(
    ("option", "waits"), [("leave", True), ("edit", True), ("accept", False), ("choose", False)]
)
def test_a_proposal_waits_until_something_of_it_is_taken(option: str, waits: bool) -> None:
    left = after_answer(after_answer(Checkpoint(), PLAN, "leave"), PLAN, option)
    assert left.left_out == ({"volume": PLAN} if waits else {})
    assert Checkpoint.model_validate(left.model_dump(mode="json")).left_out == left.left_out


def test_a_plan_that_is_taken_leaves_the_one_of_another_volume_where_it_waits() -> None:
    left = after_answer(Checkpoint(), PLAN, "leave")
    assert after_answer(left, OTHER, "accept").left_out == {"volume": PLAN}
    assert "left_out" not in Checkpoint().model_dump(mode="json"), "older files have no such key"


def test_what_is_open_waits_where_something_else_is_asked_in_its_place() -> None:
    open_plan = Checkpoint(pending_decision=PLAN)
    assert other_put_by(open_plan, "clean-up").left_out == {"volume": PLAN}
    assert put_by(open_plan, "clean-up").left_out == {"volume": PLAN}
    assert other_put_by(open_plan, "volume") == open_plan, "she asked for another plan of it"


@pytest.mark.parametrize("pending", [OTHER, question("brief")])
def test_a_question_that_cannot_be_put_by_is_answered_first(pending: Decision) -> None:
    with pytest.raises(StudioError, match="Another question is open"):
        put_by(Checkpoint(pending_decision=pending), "volume")
    again = PLAN.model_copy(update={"data": {**PLAN.data, OPENED: True}})
    there = Checkpoint(pending_decision=again, left_out={"volume": PLAN})
    assert put_by(there, "volume") == there
