"""An active storyline that no chapter carries any more."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.continuity.threads import REST
from studio.story.continuity import ContinuityFinding, Evidence, finding


def line_resting(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """An active line whose last chapter lies just too far back."""
    for line in book.lines:
        chapters = [
            n for n, d in book.committed.items() if d.storyline_id == line.id and n <= chapter
        ]
        if line.status == "active" and chapters and chapter - max(chapters) == REST:
            yield finding(
                "line_resting",
                "low",
                (line.id,),
                f"{line.title} rests since chapter {max(chapters)}.",
                (Evidence(chapter=max(chapters)), Evidence(chapter=chapter)),
            )
