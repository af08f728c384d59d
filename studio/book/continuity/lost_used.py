"""Detects a lost or destroyed item that is planned to be used or that changes hands."""

from __future__ import annotations

from collections.abc import Iterator

from studio.book.continuity.book_view import BookView
from studio.book.selection import plan_words
from studio.messages import said
from studio.story.continuity import ContinuityFinding, Evidence, finding

CODE = "lost_used"
_GONE = frozenset({"lost", "destroyed"})


def lost_used(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Yields findings: high where a plan names the item, medium where somebody receives it."""
    lost = [slug for slug in _items(book, chapter) if _is_gone(book, chapter, slug)]
    if not lost:
        return
    contract = book.contract(chapter)
    words = plan_words(contract) if contract else ""
    named = book.finder.slugs_in(words)
    for slug in lost:
        if slug in named or _names_slug(words, slug):
            place = book.plan_of(chapter, _line_of(words, named.get(slug, 0)))
            yield _finding(book, chapter, slug, place, planned=True)
        elif _changes_hands(book, chapter, slug):
            place = book.last_naming(chapter, slug)
            yield _finding(book, chapter, slug, place, planned=False)


def _items(book: BookView, chapter: int) -> list[str]:
    return sorted(book.tree_before(chapter).get("items", {}))


def _is_gone(book: BookView, chapter: int, slug: str) -> bool:
    return book.about(chapter, "items", slug).get("condition") in _GONE


def _names_slug(words: str, slug: str) -> bool:
    return ("-" in slug or "_" in slug) and slug in words


def _changes_hands(book: BookView, chapter: int, slug: str) -> bool:
    delta = book.committed.get(chapter)
    ops = delta.ops if delta else ()
    comes_back = any(op.path == f"items.{slug}.condition" and op.value == "here" for op in ops)
    held = any(op.path == f"items.{slug}.holder" and op.value for op in ops)
    return held and not comes_back


def _line_of(words: str, place: int) -> str:
    start = words.rfind("\n", 0, place) + 1
    end = words.find("\n", place)
    return words[start : end if end >= 0 else len(words)]


def _finding(
    book: BookView, chapter: int, slug: str, place: Evidence, *, planned: bool
) -> ContinuityFinding:
    condition = str(book.about(chapter, "items", slug).get("condition"))
    since = book.set_in(f"items.{slug}.condition", chapter)
    verb = said("is in the plan of") if planned else said("is in somebody's hands in")
    return finding(
        CODE,
        "high" if planned else "medium",
        (slug,),
        said(
            "{name} was {condition} in chapter {since} and {verb} chapter {chapter}.",
            name=book.name_of(slug),
            condition=condition,
            since=since,
            verb=verb,
            chapter=chapter,
        ),
        (book.last_naming(since, slug), place),
    )
