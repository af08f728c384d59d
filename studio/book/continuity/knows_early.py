"""Detects a secret revealed in the speech or point of view of somebody who cannot know it yet."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.messages import said
from studio.story.continuity import ContinuityFinding, Evidence, finding
from studio.story.secrets import Secret
from studio.text.spans import Span

CODE = "knows_early"


def knows_early(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings for a secret's phrase in attributed speech or in point-of-view narration."""
    if not any(secret.phrases for secret in book.secrets):
        return
    for speech in book.speeches(chapter):
        for secret in book.secrets:
            if _says(secret, speech.words) is not None and _is_early(
                book, secret, speech.slug, chapter, speech.scene
            ):
                place = book.at(chapter, speech.paragraph, speech.span)
                yield _finding(book, secret, speech.slug, place, "says")
    for paragraph, words in book.narration(chapter):
        pov = _viewpoint(book, chapter, paragraph.scene)
        for secret in book.secrets:
            at = _says(secret, words)
            if pov and at is not None and _is_early(book, secret, pov, chapter, paragraph.scene):
                if secret.known_to_reader(chapter, paragraph.scene):
                    continue
                yield _finding(book, secret, pov, book.at(chapter, paragraph, at), "tells")


def _says(secret: Secret, words: str) -> Span | None:
    plain = words.casefold()
    for phrase in secret.phrases:
        at = plain.find(phrase.casefold())
        if phrase.strip() and at >= 0:
            return Span(at, at + len(phrase))
    return None


def _is_early(book: BookView, secret: Secret, slug: str, chapter: int, scene: int) -> bool:
    state = book.about(chapter, "characters", slug).get("knows")
    by_state = isinstance(state, dict) and bool(state.get(secret.id))
    return not by_state and not secret.known_to(slug, chapter, scene)


def _viewpoint(book: BookView, chapter: int, scene: int) -> str | None:
    contract = book.contract(chapter)
    own = next((s.pov for s in book.scenes(chapter) if s.number == scene and s.pov), None)
    return own or (contract.pov if contract else None)


def _finding(
    book: BookView, secret: Secret, slug: str, place: Evidence, verb: str
) -> ContinuityFinding:
    return finding(
        CODE,
        "medium",
        (secret.id, slug),
        said(
            "{slug} {verb} in chapter {chapter} what they do not know yet: {fact}",
            slug=book.name_of(slug),
            verb=verb,
            chapter=place.chapter,
            fact=secret.fact,
        ),
        (place,),
    )
