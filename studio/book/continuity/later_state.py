"""Detects a later chapter that contradicts what is now true before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.mentions import Mentioned
from studio.messages import said
from studio.story.continuity import ContinuityFinding, Evidence, finding

CODE = "later_state"
_PASSIVE = frozenset({"alive", "last_seen", "name", "age"})
"""What the state may still record about the dead."""
_SUBJECT = re.compile(r"(?:이|가|은|는)(?![가-힣])")
_SENTENCE_END = re.compile(r"[.!?。！？]")


def later_state(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings for changes to, and summaries about, people who are already dead."""
    delta = book.committed.get(chapter)
    if delta is None:
        return
    planned = book.planned_present(chapter)
    people = book.tree_before(chapter).get("characters", {})
    dead = [
        slug
        for slug, values in people.items()
        if isinstance(values, dict) and values.get("alive") is False and slug not in planned
    ]
    for slug in sorted(dead):
        words = _change(book, chapter, slug) or _in_summary(book, chapter, slug)
        if words:
            died = book.set_in(f"characters.{slug}.alive", chapter)
            yield finding(
                CODE,
                "medium",
                (slug,),
                said(
                    "{name_or_slug} died in chapter {died}, and chapter {chapter} goes on as "
                    "if not.",
                    name_or_slug=book.name_of(slug),
                    died=died,
                    chapter=chapter,
                ),
                (book.last_naming(died, slug), Evidence(chapter=chapter, quote=words)),
            )


def _change(book: BookView, chapter: int, slug: str) -> str:
    """Returns a change that the chapter records for somebody and no dead person could cause."""
    for op in book.committed[chapter].ops:
        parts = op.path.split(".")
        if parts[:2] == ["characters", slug] and len(parts) > 2 and parts[2] not in _PASSIVE:
            return f"{parts[2].replace('_', ' ')}: {op.value}"
    return ""


def _in_summary(book: BookView, chapter: int, slug: str) -> str:
    """Returns the sentence of the summary in which somebody acts."""
    summary = book.summary(chapter)
    for mention in book.finder.find(summary):
        if mention.slug == slug and _acts(summary, mention):
            end = _SENTENCE_END.search(summary, mention.end)
            return summary[mention.start : end.end() if end else len(summary)].strip()
    return ""


def _acts(text: str, mention: Mentioned) -> bool:
    """Whether the named person is the sentence's subject: its first word, or marked in Korean."""
    if _SUBJECT.match(text, mention.end):
        return True
    follows = text[mention.end : mention.end + 1]
    return _begins_sentence(text, mention.start) and follows not in ("'", "’", "의", "的")


def _begins_sentence(text: str, at: int) -> bool:
    while at and text[at - 1].isspace() and text[at - 1] != "\n":
        at -= 1
    return at == 0 or text[at - 1] in ".!?。！？；\n"
