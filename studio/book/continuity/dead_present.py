"""Detects somebody who is dead and yet present, in a plan or as a speaker in the text."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.messages import said
from studio.story.continuity import ContinuityFinding, Evidence, finding

CODE = "dead_present"


def dead_present(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings: high where the contract or a scene's plan has a dead person present, medium
    where the text lets one speak."""
    planned = book.planned_present(chapter)
    speaks: dict[str, Evidence] = {}
    for speech in book.speeches(chapter):
        if speech.slug not in speaks and _is_dead(book, chapter, speech.slug):
            speaks[speech.slug] = book.at(chapter, speech.paragraph, speech.span)
    for slug in planned:
        if _is_dead(book, chapter, slug):
            scenes = (s for s in book.scenes(chapter) if slug in (s.pov, *s.characters))
            scene = next((s.number for s in scenes if not s.flashback), 0)
            place = speaks.get(slug) or book.planned_naming(chapter, (slug,), scene)
            yield _finding(book, chapter, slug, place, planned=True)
    for slug, place in speaks.items():
        if slug not in planned:
            yield _finding(book, chapter, slug, place, planned=False)


def _is_dead(book: BookView, chapter: int, slug: str) -> bool:
    return book.about(chapter, "characters", slug).get("alive") is False


def _finding(
    book: BookView, chapter: int, slug: str, place: Evidence, *, planned: bool
) -> ContinuityFinding:
    died = book.set_in(f"characters.{slug}.alive", chapter)
    verb = said("is planned for") if planned else said("speaks in")
    return finding(
        CODE,
        "high" if planned else "medium",
        (slug,),
        said(
            "{name} died in chapter {died} and {verb} chapter {chapter}.",
            name=book.name_of(slug),
            died=died,
            verb=verb,
            chapter=chapter,
        ),
        (book.last_naming(died, slug), place),
    )
