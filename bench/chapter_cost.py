"""The cost of a chapter (B6): its calls and prompt tokens, with three scenes and four fixes.

These are counts, not times, so they are the same on any machine. The reference is the cost of such
a chapter at commit 2596542, before the studio remembered the book.
"""

from __future__ import annotations

import sys
from collections import Counter

from bench.recording import Writing, sample_with
from bench.rounds import Row
from studio.llm.provider import high_estimate
from studio.pipeline.outcome import Committed, Paused
from tests.fake_messages import Asked
from tests.pipeline.flows import Desk, Ran, kind_of

CHAPTER, FIXES = 3, 4
CALLS, TOKENS = 12, 60_000
"""The reference values at 2596542."""
_EACH = 1000
"""Scales counts so that they fit the table's column of milliseconds."""


def rows() -> list[Row]:
    """Returns calls and prompt tokens where every fix is accepted, and calls
    where a writer accepts them."""
    accepted, asking = _accepted(), _asking()
    tokens = sum(high_estimate(asked.prompt) for asked in accepted)
    was = "the chapter at 2596542"
    return [
        Row("B6: calls of a chapter, accepting", len(accepted) / _EACH, CALLS / _EACH, was, 1.6),
        Row("B6: its prompt tokens", tokens / _EACH, TOKENS / _EACH, was, 1.5),
        Row("B6: calls of a chapter, asking", len(asking) / _EACH, CALLS / _EACH, was, 1.0),
    ]


def _accepted() -> list[Asked]:
    with sample_with(Writing(FIXES)) as desk:
        ran = desk.write(chapter=CHAPTER, review="accept")
        assert isinstance(ran.outcome, Committed), ran.outcome
        return _requests(desk, "accepting")


def _asking() -> list[Asked]:
    """Runs a chapter with a writer who keeps every proposal."""
    with sample_with(Writing(FIXES)) as desk:
        ran = desk.write(chapter=CHAPTER, review="ask")
        for _ in range(9):
            if not isinstance(ran.outcome, Paused):
                break
            ran = _answered(desk, ran)
        assert isinstance(ran.outcome, Committed), ran.outcome
        return _requests(desk, "asking")


def _answered(desk: Desk, ran: Ran) -> Ran:
    """Accepts and keeps every fix; answers any other question with its first option."""
    if ran.decision.kind == "review":
        if _has(desk, "pending", "applied"):
            desk.session().change_directives("accept", [], all_=True)
        if not _has(desk, "accepted"):
            desk.decide("commit")
    else:
        desk.decide(ran.decision.options[0])
    return desk.resume(review="ask")


def _has(desk: Desk, *statuses: str) -> bool:
    sheet = desk.session().directives()
    return sheet is not None and any(d.status in statuses for d in sheet.directives)


def _requests(desk: Desk, how: str) -> list[Asked]:
    asked = desk.server.asked
    kinds = Counter(kind_of(one) for one in asked)
    print(f"  {how}: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()), file=sys.stderr)
    return list(asked)
