"""Detects loose threads: overdue or dormant promises, resting storylines, vanished people."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.promises import PromiseSoFar
from studio.messages import said
from studio.story.continuity import ContinuityFinding, Evidence, finding

REST = 10
"""Chapters without a touch until a line rests, or a person of an active line is missed."""


def overdue(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields promises that were due in this chapter and are unpaid when the next one begins."""
    for promise in _promises_after(book, chapter):
        if promise.plan.due == chapter and promise.is_overdue(chapter + 1):
            about = promise.plan.about
            yield finding(
                "overdue",
                "medium",
                (promise.id,),
                said(
                    "Due in chapter {chapter} and still open: {about}", chapter=chapter, about=about
                ),
                (_seed_of(promise), Evidence(chapter=chapter)),
            )


def dormant(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields open promises that become dormant with this chapter, untouched for too long."""
    for promise in _promises_after(book, chapter):
        if promise.is_dormant(chapter + 1) and not promise.is_dormant(chapter):
            about = promise.plan.about
            yield finding(
                "dormant",
                "low",
                (promise.id,),
                said(
                    "Nothing has touched it since chapter {chapter}: {about}",
                    chapter=promise.last,
                    about=about,
                ),
                (_seed_of(promise), Evidence(chapter=chapter)),
            )


def line_resting(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields active storylines whose last chapter passes the resting limit with this chapter."""
    for line in book.lines:
        chapters = [
            n for n, d in book.committed.items() if d.storyline_id == line.id and n <= chapter
        ]
        if line.status == "active" and chapters and chapter - max(chapters) == REST:
            yield finding(
                "line_resting",
                "low",
                (line.id,),
                said(
                    "{title} has been resting since chapter {chapters}.",
                    title=line.title,
                    chapters=max(chapters),
                ),
                (Evidence(chapter=max(chapters)), Evidence(chapter=chapter)),
            )


def person_gone(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields people of an active storyline who are long unseen and neither dead nor gone."""
    people = {slug for line in book.lines if line.status == "active" for slug in line.characters}
    for slug in sorted(people & set(book.bible.people)):
        about = book.about(chapter + 1, "characters", slug)
        last_seen = about.get("last_seen")
        absent = about.get("alive") is False or about.get("location") == "gone"
        if isinstance(last_seen, int) and not absent and chapter - last_seen == REST:
            yield finding(
                "person_gone",
                "low",
                (slug,),
                said(
                    "{name} has not been seen since chapter {last_seen}.",
                    name=book.name_of(slug),
                    last_seen=last_seen,
                ),
                (book.last_naming(last_seen, slug), Evidence(chapter=chapter)),
            )


def _promises_after(book: BookView, chapter: int) -> list[PromiseSoFar]:
    """Returns the promises with their events up to the end of a committed chapter."""
    if chapter not in book.committed:
        return []
    contract = book.contract(chapter)
    return book.promises_after(chapter, contract.volume if contract else 1)


def _seed_of(promise: PromiseSoFar) -> Evidence:
    seed = promise.seed
    if seed is None:
        return Evidence(chapter=promise.plan.due or 1)
    return Evidence(chapter=seed.chapter, paragraph_sha256=seed.paragraph_sha256, quote=seed.quote)
