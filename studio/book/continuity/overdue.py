"""A promise that was due and is not paid."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.continuity.threads import promises_after, seed_of
from studio.story.continuity import ContinuityFinding, Evidence, finding


def overdue(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Promises that were due in this chapter and are not paid when the next begins."""
    for promise in promises_after(book, chapter):
        if promise.plan.due == chapter and promise.is_overdue(chapter + 1):
            about = promise.plan.description or promise.id
            yield finding(
                "overdue",
                "medium",
                (promise.id,),
                f"Due in chapter {chapter} and still open: {about}",
                (seed_of(promise), Evidence(chapter=chapter)),
            )
