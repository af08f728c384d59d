"""Detects a plan that names a person or a storyline that has no record, and a text that does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from studio.book.continuity.book_view import BookView, evidence_of
from studio.i18n import Language
from studio.messages import said
from studio.story.continuity import ContinuityFinding, finding
from studio.text.language.names import mentions
from studio.text.language.romanisation import romanised
from studio.text.name_candidates import NameGuess, guess_names
from studio.text.spans import Span

CODE = "unknown_name"
_OFTEN = 3
"""How often a chapter uses a name before it is more than a passer-by's."""


def unknown_name(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields slugs of people in a contract that have no entry, and an unknown storyline; and names
    that a text uses several times, where it first does."""
    yield from _in_text(book, chapter)
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
            said(
                "The plan of chapter {chapter} names {slug}, of whom the bible says nothing.",
                chapter=chapter,
                slug=slug,
            ),
            (book.plan_of(chapter, slug),),
        )
    line = contract.storyline_id
    if book.lines and line not in {storyline.id for storyline in book.lines}:
        yield finding(
            CODE,
            "medium",
            (line,),
            said(
                "The plan of chapter {chapter} belongs to {line}, which is not a storyline of "
                "the book.",
                chapter=chapter,
                line=line,
            ),
            (book.plan_of(chapter, line),),
        )


def _in_text(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields the invented people of a chapter: no entry, plan or earlier chapter knows them."""
    text = book.text(chapter)
    if text is None:
        return
    before = book.text(chapter - 1)
    for guess in _people_named(text.text, book.pack.language):
        slug = romanised(guess.name, is_person=True)
        is_known = book.finder.find(guess.name) or slug in book.bible.entries or not slug
        if is_known or (before is not None and mentions(before.text, guess.name)):
            continue
        paragraph = next((p for p in text.paragraphs if guess.name in p.prose), None)
        if paragraph is not None:
            at = paragraph.prose.find(guess.name)
            span = Span(at, at + len(guess.name))
            yield finding(
                CODE,
                "low",
                (slug,),
                said(
                    "Chapter {chapter} names {name} {count} times, of whom the bible says nothing.",
                    chapter=chapter,
                    name=guess.name,
                    count=guess.count,
                ),
                (evidence_of(chapter, paragraph, span),),
            )


@lru_cache(maxsize=64)
def _people_named(text: str, language: Language) -> tuple[NameGuess, ...]:
    """Returns who a text seems to name often, cached because every look at a chapter asks."""
    guesses = guess_names([text], language, _OFTEN)
    return tuple(guess for guess in guesses if guess.kind == "character")
