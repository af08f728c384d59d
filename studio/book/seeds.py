"""The passage that planted a promise, as it reads in the book today."""

from __future__ import annotations

from studio.book.promises import PromiseSoFar
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, Paragraph, sha256_of


def seed_passage(store: ProjectStore, promise: PromiseSoFar) -> tuple[int, str] | None:
    """Returns the chapter and the words of the paragraph that planted a promise.

    The paragraph its event names, else the one that contains its quote, else the quote alone; None
    where nothing is known. StudioError (exit 5) for a chapter that cannot be read.
    """
    seed = promise.seed
    if seed is None:
        return None
    chapter = store.chapter(seed.chapter)
    paragraph = paragraph_of(chapter, seed.paragraph_sha256, seed.quote) if chapter else None
    words = paragraph.prose if paragraph is not None else seed.quote
    return (seed.chapter, words) if words else None


def paragraph_of(chapter: Chapter, sha256: str | None, quote: str) -> Paragraph | None:
    """Returns the paragraph with that hash, else the first that contains the quote."""
    paragraphs = chapter.paragraphs
    same = (p for p in paragraphs if sha256 is not None and sha256_of(p.text) == sha256)
    quoted = (p for p in paragraphs if quote and quote in p.prose)
    return next(same, None) or next(quoted, None)
