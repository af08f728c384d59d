"""Finds where the chapters of the book name an entry, paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from studio.book.entries import Bible, Entry
from studio.book.mentions import NameFinder
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of

_QUOTE = 120
"""The number of characters of a paragraph quoted around a mention."""


@dataclass(frozen=True, slots=True)
class Place:
    """A paragraph that names the entry."""

    scene: int
    paragraph: int
    paragraph_sha256: str
    quote: str


@dataclass(frozen=True, slots=True)
class ChapterMentions:
    """The mentions of the entry in one chapter."""

    chapter: int
    count: int
    places: tuple[Place, ...]

    def as_json(self) -> dict[str, Any]:
        """Returns the row that `--json` prints."""
        places = [
            {
                "scene": place.scene,
                "paragraph": place.paragraph,
                "paragraph_sha256": place.paragraph_sha256,
                "quote": place.quote,
            }
            for place in self.places
        ]
        return {"chapter": self.chapter, "count": self.count, "places": places}


def mentions_in_book(store: ProjectStore, bible: Bible, entry: Entry) -> list[ChapterMentions]:
    """Returns the chapters that name an entry, in order, ignoring longer names of other entries."""
    finder = NameFinder(bible.entries.values())
    rows = (_in_chapter(store, number, finder, entry.slug) for number in store.chapter_numbers())
    return [row for row in rows if row.count]


def _in_chapter(store: ProjectStore, number: int, finder: NameFinder, slug: str) -> ChapterMentions:
    places, count = [], 0
    for place, many in _places(store, number, finder, slug):
        places.append(place)
        count += many
    return ChapterMentions(number, count, tuple(places))


def _places(
    store: ProjectStore, number: int, finder: NameFinder, slug: str
) -> Iterator[tuple[Place, int]]:
    chapter = store.chapter(number)
    for paragraph in chapter.paragraphs if chapter else ():
        own = [m for m in finder.find(paragraph.prose) if m.slug == slug]
        if own:
            quote = quote_around(paragraph.prose, own[0].start)
            sha256 = sha256_of(paragraph.text)
            yield Place(paragraph.scene, paragraph.number, sha256, quote), len(own)


def quote_around(text: str, at: int) -> str:
    """Returns the words of a text around an offset, exactly as written."""
    start = max(0, at - _QUOTE // 2)
    if start:
        blank = text.find(" ", start, at)
        start = blank + 1 if blank >= 0 else start
    return text[start : start + _QUOTE].strip()
