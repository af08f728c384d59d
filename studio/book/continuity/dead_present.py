"""Detects somebody who is dead and yet present, in a plan or as a speaker in the text."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.story.continuity import ContinuityFinding, Evidence, finding

CODE = "dead_present"


def dead_present(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings: high where the contract or a scene's plan has a dead person present, medium
    where the text lets one speak."""
    planned = book.planned_present(chapter)
    for slug, words in planned.items():
        if _is_dead(book, chapter, slug):
            yield _finding(book, chapter, slug, book.plan_of(chapter, words), planned=True)
    noted: set[str] = set()
    for speech in book.speeches(chapter):
        if speech.slug not in {*noted, *planned} and _is_dead(book, chapter, speech.slug):
            noted.add(speech.slug)
            place = book.at(chapter, speech.paragraph, speech.span)
            yield _finding(book, chapter, speech.slug, place, planned=False)


def _is_dead(book: BookView, chapter: int, slug: str) -> bool:
    return book.about(chapter, "characters", slug).get("alive") is False


def _finding(
    book: BookView, chapter: int, slug: str, place: Evidence, *, planned: bool
) -> ContinuityFinding:
    died = book.set_in(f"characters.{slug}.alive", chapter)
    verb = "is planned for" if planned else "speaks in"
    return finding(
        CODE,
        "high" if planned else "medium",
        (slug,),
        f"{book.name_of(slug)} died in chapter {died} and {verb} chapter {chapter}.",
        (book.last_naming(died, slug), place),
    )
