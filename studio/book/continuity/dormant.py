"""A promise that nothing has touched for long."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.continuity.threads import promises_after, seed_of
from studio.story.continuity import ContinuityFinding, Evidence, finding


def dormant(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Open promises that fall asleep with this chapter: nothing has touched them for long."""
    for promise in promises_after(book, chapter):
        if promise.is_dormant(chapter + 1) and not promise.is_dormant(chapter):
            about = promise.plan.description or promise.id
            yield finding(
                "dormant",
                "low",
                (promise.id,),
                f"Nothing has touched it since chapter {promise.last}: {about}",
                (seed_of(promise), Evidence(chapter=chapter)),
            )
