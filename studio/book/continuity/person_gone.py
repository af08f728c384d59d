"""Somebody of an active line who has dropped out of the story."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.continuity.threads import REST
from studio.story.continuity import ContinuityFinding, Evidence, finding


def person_gone(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Somebody of an active line who has not been seen for long and is neither dead nor gone."""
    people = {slug for line in book.lines if line.status == "active" for slug in line.characters}
    for slug in sorted(people & set(book.bible.people)):
        about = book.about(chapter + 1, "characters", slug)
        last_seen = about.get("last_seen")
        absent = about.get("alive") is False or about.get("location") == "gone"
        if isinstance(last_seen, int) and not absent and chapter - last_seen == REST:
            entry = book.bible.people[slug]
            yield finding(
                "person_gone",
                "low",
                (slug,),
                f"{entry.name} has not been seen since chapter {last_seen}.",
                (book.last_naming(last_seen, entry), Evidence(chapter=chapter)),
            )
