"""What the detectors of loose threads share: how long a rest is, and promises with their seeds."""

from __future__ import annotations

from studio.book.continuity.book_view import BookView
from studio.book.promises import PromiseSoFar
from studio.story.continuity import Evidence

REST = 10
"""Chapters without a touch after which a line rests, and a person of an active line is missed."""


def promises_after(book: BookView, chapter: int) -> list[PromiseSoFar]:
    """The promises with the events up to the end of a committed chapter."""
    if chapter not in book.committed:
        return []
    contract = book.contract(chapter)
    story = book.story(chapter + 1)
    return list(story.promises(contract.volume if contract else 1).values())


def seed_of(promise: PromiseSoFar) -> Evidence:
    seed = promise.seed
    if seed is None:
        return Evidence(chapter=promise.plan.due or 1)
    return Evidence(chapter=seed.chapter, paragraph_sha256=seed.paragraph_sha256, quote=seed.quote)
