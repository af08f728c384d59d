"""Detects somebody who is in two places at the same minute of story time."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.messages import said
from studio.story.continuity import ContinuityFinding, finding
from studio.story.contract import SceneSpec

CODE = "two_places"


def two_places(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Compares this chapter's scenes with each other and with all scenes planned before it."""
    own = [timed for timed in book.timed_scenes if timed.plan.chapter == chapter]
    if not own:
        return
    earlier = [timed for timed in book.timed_scenes if timed.plan.chapter < chapter]
    for index, (plan, scene, time) in enumerate(own):
        for other_plan, other, other_time in (*earlier, *own[:index]):
            if not (scene.location and other.location) or scene.location == other.location:
                continue
            if not time.is_same_minute(other_time):
                continue
            for slug in sorted(_people(scene) & _people(other)):
                yield finding(
                    CODE,
                    "high",
                    (slug,),
                    said(
                        "{name_or_slug} is at {location} and at {location2} at the same time "
                        "({when}).",
                        name_or_slug=book.name_of(slug),
                        location=book.name_of(other.location),
                        location2=book.name_of(scene.location),
                        when=scene.when,
                    ),
                    (
                        book.planned_naming(
                            other_plan.chapter, (slug, other.location), other.number
                        ),
                        book.planned_naming(plan.chapter, (slug, scene.location), scene.number),
                    ),
                )


def _people(scene: SceneSpec) -> set[str]:
    return {*scene.characters, *((scene.pov,) if scene.pov else ())}
