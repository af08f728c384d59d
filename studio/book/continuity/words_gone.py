"""Detects events recorded by the author whose quoted words an edit has removed from the chapter."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.seeds import paragraph_of
from studio.messages import said
from studio.story.continuity import ContinuityFinding, Evidence, finding
from studio.text.prose.answer import quoted


def words_gone(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Checks the author's own events only: a model's are read again with the chapter."""
    delta, text = book.committed.get(chapter), book.text(chapter)
    if delta is None or text is None:
        return
    for op in delta.authors_word:
        if op.quote and paragraph_of(text, op.paragraph_sha256, op.quote) is None:
            yield finding(
                "words_gone",
                "medium",
                (op.path,),
                said(
                    "Your words for {path} are no longer in chapter {chapter}: {quoted}",
                    path=op.path,
                    chapter=chapter,
                    quoted=quoted(op.quote),
                ),
                (Evidence(chapter=chapter),),
            )
