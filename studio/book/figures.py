"""The book in figures, chapter by chapter: words, plan, score, people, line, cost, promises.

The board shows them; no model is involved. This module only reads, and omits whatever cannot be
read of a chapter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from studio.book.bible import Bible, NameFinder, read_bible
from studio.book.promise_changes import promises_now
from studio.book.promises import PromiseSoFar
from studio.errors import StudioError
from studio.project import changelog as log
from studio.project.author.published import changed_there
from studio.project.contents import Contents
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from studio.story.ledger import UsageLedger
from studio.story.review.evaluation import LOW_BELOW
from studio.text.language.packs import LanguagePack
from studio.text.oracle.patterns import BookPattern, book_patterns
from studio.text.prose.parse import read


@dataclass(frozen=True, slots=True)
class ChapterFigures:
    """The figures of one chapter, written or planned."""

    chapter: int
    title: str
    length: int
    """The length in words (en) or characters (ko, zh); 0 while the chapter is only planned."""
    planned: int
    """The length its plan names, else the default length of the settings."""
    score: float | None
    line: str
    """The id of its storyline; empty where none is named."""
    people: Mapping[str, int]
    """How often the chapter names each person, by slug; 1 where a plan names them."""
    cost_usd: float
    troubles: tuple[str, ...]
    """Why the chapter needs another look: low, violation, left_open, changed, not_judged,
    state_gap, changed_there, overdue."""
    is_changed_there: bool | None = None
    """Whether it was changed since the author published it; None if it is not published."""


@dataclass(frozen=True, slots=True)
class BookFigures:
    """The figures of all chapters in order, and those of the whole book."""

    chapters: tuple[ChapterFigures, ...]
    promises: tuple[PromiseSoFar, ...]
    names: Mapping[str, str]
    """The names of people and storylines, by slug."""
    next_chapter: int
    tics: tuple[BookPattern, ...] = ()
    """What the latest chapters together have far more often than published prose."""


_LATEST = 30
"""The chapters that are read for the tics of the book, so that the cost does not grow with it."""


def figures_of(
    store: ProjectStore,
    contents: Contents,
    usual_length: int,
    pack: LanguagePack | None = None,
    *,
    by_first_person: bool = False,
) -> BookFigures:
    """Returns the figures of every written or planned chapter; the tics of the book with the pack
    of its language. Who tells a chapter in the first person is there, though nobody names them."""
    checkpoint = store.checkpoint()
    following = checkpoint.last_completed_chapter + 1
    bible = read_bible(store)
    finder = NameFinder(bible.people.values())
    logged = log.entries_that_count(store.changelog().entries)
    lines = {number: entry.storyline_id for number, entry in logged.items()}
    totals = UsageLedger(store.journal.usage_entries()).totals(lambda entry: entry.chapter)
    promises = tuple(promises_now(store).values())
    published = changed_there(store)
    marked = _chapters_by_trouble(published, checkpoint, promises)
    points_of_view: dict[str, str | None] = {}
    with suppress(StudioError):
        points_of_view = {line.id: line.pov for line in store.storylines().storylines}
    chapters = []
    for entry in contents.entries:
        number, planned, line, people = entry.chapter, usual_length, "", dict[str, int]()
        tellers: set[str | None] = set()
        with suppress(StudioError):
            if (contract := store.contract(number)) is not None:
                planned = contract.target_length or usual_length
                line, people = contract.storyline_id, dict.fromkeys(contract.characters, 1)
                tellers = {contract.pov, *(scene.pov for scene in contract.scenes)}
        if entry.written:
            people = _people_in(store, number, finder) or people
        if by_first_person:
            told_by = {*tellers, points_of_view.get(lines.get(number, line))} - {None, ""}
            people = {**dict.fromkeys((s for s in told_by if s in bible.people), 1), **people}
        low = entry.score is not None and entry.score < LOW_BELOW
        troubles = [name for name, numbers in marked.items() if number in numbers]
        cost = totals.get(number)
        chapters.append(
            ChapterFigures(
                chapter=number,
                title=entry.title,
                length=(entry.length or 0) if entry.written else 0,
                planned=planned,
                score=entry.score,
                line=lines.get(number, line),
                people=people,
                cost_usd=cost.usd if cost else 0.0,
                troubles=tuple(dict.fromkeys([*(["low"] if low else []), *troubles])),
                is_changed_there=published.get(number),
            )
        )
    names = {slug: (entry.name or slug) for slug, entry in bible.people.items()}
    with suppress(StudioError):
        names |= {line.id: line.title for line in store.storylines().storylines}
    latest = [c.chapter for c in chapters if c.length][-_LATEST:]
    tics = _tics(store, bible, pack, latest) if pack is not None else ()
    return BookFigures(tuple(chapters), promises, names, following, tics)


def _chapters_by_trouble(
    published: Mapping[int, bool], checkpoint: Checkpoint, promises: Sequence[PromiseSoFar]
) -> dict[str, set[int | None]]:
    """Returns the numbers of the chapters that have each trouble."""
    late = {p.plan.due for p in promises if p.is_overdue(checkpoint.last_completed_chapter + 1)}
    return {
        "low": {*checkpoint.low_quality, *checkpoint.force_passed},
        "violation": {*checkpoint.violations_open},
        "left_open": {*checkpoint.left_open},
        "changed": {*checkpoint.changed_since},
        "not_judged": {*checkpoint.unjudged},
        "state_gap": {*checkpoint.state_gap},
        "changed_there": {n for n, is_changed in published.items() if is_changed},
        "overdue": late,
    }


def _tics(
    store: ProjectStore, bible: Bible, pack: LanguagePack, numbers: Sequence[int]
) -> tuple[BookPattern, ...]:
    chapters = {}
    for number in numbers:
        with suppress(StudioError):
            if (chapter := store.chapter(number)) is not None:
                chapters[number] = read(chapter.text, pack)
    return book_patterns(chapters, [n for entry in bible.entries.values() for n in entry.names])


def _people_in(store: ProjectStore, number: int, finder: NameFinder) -> dict[str, int]:
    """Counts how often each person is named in a committed chapter."""
    counts: dict[str, int] = {}
    with suppress(StudioError):
        chapter = store.chapter(number)
        for paragraph in chapter.paragraphs if chapter else ():
            for mention in finder.find(paragraph.prose):
                counts[mention.slug] = counts.get(mention.slug, 0) + 1
    return counts
