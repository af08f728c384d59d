"""Every detector by its code, and their findings over a range of chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from studio.book.continuity.book_view import BookView
from studio.book.continuity.dead_present import dead_present
from studio.book.continuity.knows_early import knows_early
from studio.book.continuity.later_state import later_state
from studio.book.continuity.lost_used import lost_used
from studio.book.continuity.near_name import near_name
from studio.book.continuity.payoff_before_plant import payoff_before_plant
from studio.book.continuity.threads import dormant, line_resting, overdue, person_gone
from studio.book.continuity.time_backwards import time_backwards
from studio.book.continuity.two_places import two_places
from studio.book.continuity.unknown_name import unknown_name
from studio.book.continuity.words_gone import words_gone
from studio.story.continuity import ContinuityFinding

Detector = Callable[[BookView, int], Iterator[ContinuityFinding]]
DETECTORS: Mapping[str, Detector] = {
    "dead_present": dead_present,
    "lost_used": lost_used,
    "two_places": two_places,
    "time_backwards": time_backwards,
    "unknown_name": unknown_name,
    "near_name": near_name,
    "knows_early": knows_early,
    "payoff_before_plant": payoff_before_plant,
    "overdue": overdue,
    "dormant": dormant,
    "line_resting": line_resting,
    "person_gone": person_gone,
    "later_state": later_state,
    "words_gone": words_gone,
}
BY_PLAN = ("dead_present", "lost_used", "two_places")
"""The detectors whose findings about a plan are high: they run before the next chapter."""
_ORDER = {"high": 0, "medium": 1, "low": 2}


def findings_in(
    book: BookView, chapters: Iterable[int], codes: Iterable[str] = tuple(DETECTORS)
) -> list[ContinuityFinding]:
    """Returns the findings of these detectors in these chapters, most severe first."""
    numbers, chosen = sorted(set(chapters)), tuple(codes)
    by_id: dict[str, ContinuityFinding] = {}
    for number in numbers:
        for code in chosen:
            for entry in DETECTORS[code](book, number):
                by_id.setdefault(entry.id, entry)
    return in_order(by_id.values())


def in_order(findings: Iterable[ContinuityFinding]) -> list[ContinuityFinding]:
    """Sorts findings by severity, most severe first, then by chapter."""
    return sorted(findings, key=lambda f: (_ORDER[f.severity], f.chapters, f.fact_key))
