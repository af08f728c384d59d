"""Every answer that has calls made once more says what they cost, by this novel's own."""

from __future__ import annotations

import pytest

from studio.story.ledger import Estimate, once_more
from studio.story.records import UsageEntry
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, directive, judged


def paid(call: str, usd: float, most: float = 0.5) -> list[UsageEntry]:
    """A call as it stands in the usage log."""
    begun = UsageEntry(event="reserve", id=call, ts="", call=call, reserved_usd=most)
    return [begun, begun.model_copy(update={"event": "settle", "reserved_usd": None, "usd": usd})]


OLDER = paid("gen-001-aaaaaa-refine-refine-12345678-l0-1234567890", 0.02)
SCENES = [
    *paid("gen-002-bbbbbb-draft-s01-l0-1234567890", 0.10),
    *paid("gen-002-bbbbbb-draft-s02-l0-1234567891", 0.20),
    *paid("gen-002-bbbbbb-draft-s02-l1-1234567892", 0.25),
    *paid("gen-002-bbbbbb-draft-plan-l0-1234567893", 0.07),
]


@pytest.mark.parametrize(
    ("stages", "scenes", "expected"),
    [
        (("draft",), (), Estimate(0.35, 1.0)),
        (("draft",), (2,), Estimate(0.25, 0.5)),
        (("draft", "refine"), (1,), Estimate(0.12, 1.0)),
        (("judge",), (), None),
    ],
)
def test_what_is_made_once_more_costs_what_it_cost(
    stages: tuple[str, ...], scenes: tuple[int, ...], expected: Estimate | None
) -> None:
    estimate = once_more([*OLDER, *SCENES], stages, scenes)
    if expected is None:
        assert estimate is None
        return
    assert estimate is not None
    assert estimate.about == pytest.approx(expected.about)
    assert estimate.most == pytest.approx(expected.most)


# req: J3
@pytest.mark.parametrize(
    ("score", "kind", "options"),
    [
        (3.2, "gate", ["draft-again"]),
        (3.7, "gate", ["polish", "draft-again"]),
        (4.2, "review", ["draft-again"]),
    ],
)
def test_the_question_says_what_drafting_and_polishing_again_cost(
    score: float, kind: str, options: list[str], desk: OpenDesk
) -> None:
    there = desk(Model(judge=judged(score, directives=[directive(1, 2)])))
    decision = there.write(review="ask").decision
    assert decision.kind == kind
    for option in options:
        words = decision.data["options"][option]
        assert "It costs " in words, words
        assert "cent" in words
    if kind == "review":
        there.session().change_directives("reject", [], all_=True)
        renewed = there.checkpoint.pending_decision
        assert renewed is not None
        assert "It costs " in renewed.data["options"]["draft-again"], "after a decision too"
