"""Detects story time that runs backwards on one storyline within one point of view."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView, TimedScene
from studio.messages import said
from studio.story.continuity import ContinuityFinding, finding

CODE = "time_backwards"


def time_backwards(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields scenes set before the previous scene of the same storyline and point of view."""
    contract = book.contract(chapter)
    if contract is None:
        return
    newest: dict[str | None, TimedScene] = {}
    for timed in book.timed_scenes:
        plan, scene, _ = timed
        of_the_line = plan.chapter <= chapter and plan.storyline_id == contract.storyline_id
        if not of_the_line or scene.flashback:
            continue
        pov = scene.pov or plan.pov
        before = newest.get(pov)
        if before is not None and plan.chapter == chapter and timed.time.is_before(before.time):
            yield _backwards(book, timed, before, pov)
        newest[pov] = timed


def _backwards(
    book: BookView, timed: TimedScene, before: TimedScene, pov: str | None
) -> ContinuityFinding:
    plan, scene, _ = timed
    return finding(
        CODE,
        "medium",
        (plan.storyline_id, *((pov,) if pov else ())),
        said(
            "Scene {number} of chapter {chapter} is at {when}, after a scene at {when2} in "
            "chapter {chapter2}.",
            number=scene.number,
            chapter=plan.chapter,
            when=scene.when,
            when2=before.scene.when,
            chapter2=before.plan.chapter,
        ),
        (
            book.plan_of(before.plan.chapter, before.scene.purpose),
            book.plan_of(plan.chapter, scene.purpose),
        ),
    )
