"""Detects a plan that names a person or a storyline that has no record."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.story.continuity import ContinuityFinding, finding

CODE = "unknown_name"


def unknown_name(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields slugs of people in a contract that have no entry, and an unknown storyline."""
    contract = book.contract(chapter)
    if contract is None:
        return
    slugs = dict.fromkeys(
        slug
        for slug in (
            contract.pov,
            *contract.characters,
            *(who for scene in contract.scenes for who in (scene.pov, *scene.characters)),
        )
        if slug is not None and slug not in book.bible.entries
    )
    for slug in slugs:
        yield finding(
            CODE,
            "medium",
            (slug,),
            f"The plan of chapter {chapter} names {slug}, of whom the bible says nothing.",
            (book.plan_of(chapter, slug),),
        )
    line = contract.storyline_id
    if book.lines and line not in {storyline.id for storyline in book.lines}:
        yield finding(
            CODE,
            "medium",
            (line,),
            f"The plan of chapter {chapter} belongs to {line}, which is not a storyline of the "
            "book.",
            (book.plan_of(chapter, line),),
        )
