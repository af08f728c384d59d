"""Story time that runs backwards on one line, through one pair of eyes."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.continuity.story_time import story_time
from studio.story.continuity import ContinuityFinding, finding
from studio.story.contract import ChapterContract, SceneSpec

CODE = "time_backwards"


def time_backwards(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """A scene that lies before the one told last on the same line with the same point of view."""
    contract = book.contract(chapter)
    if contract is None:
        return
    newest: dict[str | None, tuple[int, SceneSpec]] = {}
    for number in book.planned:
        plan = book.contract(number)
        if number > chapter or plan is None or plan.storyline_id != contract.storyline_id:
            continue
        for scene in plan.scenes:
            yield from _step(book, plan, scene, newest, number == chapter)


def _step(
    book: BookView,
    plan: ChapterContract,
    scene: SceneSpec,
    newest: dict[str | None, tuple[int, SceneSpec]],
    is_asked: bool,
) -> Iterator[ContinuityFinding]:
    time = story_time(scene.when)
    if time is None or scene.flashback:
        return
    pov = scene.pov or plan.pov
    before = newest.get(pov)
    if before is not None and is_asked:
        earlier = story_time(before[1].when)
        if earlier is not None and time.is_before(earlier):
            subjects = (plan.storyline_id, *((pov,) if pov else ()))
            yield finding(
                CODE,
                "medium",
                subjects,
                f"Scene {scene.number} of chapter {plan.chapter} is at {scene.when}, after a scene"
                f" at {before[1].when} in chapter {before[0]}.",
                (
                    book.plan_of(before[0], before[1].purpose),
                    book.plan_of(plan.chapter, scene.purpose),
                ),
            )
    newest[pov] = plan.chapter, scene
