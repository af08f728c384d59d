"""Somebody who is at two places at the same minute of the story."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.continuity.story_time import StoryTime, story_time
from studio.story.continuity import ContinuityFinding, finding
from studio.story.contract import SceneSpec

CODE = "two_places"


def two_places(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Scenes of this chapter against each other and those of every chapter planned before it."""
    own = list(_timed(book, chapter))
    earlier = [scene for n in book.planned if n < chapter for scene in _timed(book, n)]
    for index, (number, scene, time) in enumerate(own):
        for other_number, other, other_time in (*earlier, *own[:index]):
            if scene.location == other.location or not time.is_same_minute(other_time):
                continue
            for slug in sorted(_people(scene) & _people(other)):
                entry = book.bible.entries.get(slug)
                yield finding(
                    CODE,
                    "high",
                    (slug,),
                    f"{entry.name if entry else slug} is at {other.location} and at"
                    f" {scene.location} at the same time ({scene.when}).",
                    (
                        book.plan_of(other_number, other.purpose),
                        book.plan_of(number, scene.purpose),
                    ),
                )


def _timed(book: BookView, chapter: int) -> Iterator[tuple[int, SceneSpec, StoryTime]]:
    for scene in book.scenes(chapter):
        time = story_time(scene.when)
        if time is not None and scene.location:
            yield chapter, scene, time


def _people(scene: SceneSpec) -> set[str]:
    return {*scene.characters, *((scene.pov,) if scene.pov else ())}
