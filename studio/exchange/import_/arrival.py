"""Where the chapters of an import come to stand in a novel that has plans: whose plan each takes,
which planned chapters make room, and which names would then be double.

A plan is for the text that has its title. A text with another title takes no plan: it comes in
before the planned chapters, which move on with all that refers to them. Where one of the two has no
title of its own, or the writer says so, the text takes the plan that stands at its place.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from studio.chapter_names import numbered_titles, own_title
from studio.exchange.import_.plan import ImportPlan, ImportRow
from studio.i18n import Language
from studio.messages import said, series
from studio.project.contents import ContentsEntry
from studio.project.index import contents
from studio.project.outline import without_notes
from studio.project.planning.imports import waiting_chapters
from studio.project.planning.outline_sections import letters_of, new_section
from studio.project.planning.plan_change import PlanFiles
from studio.project.planning.planned_book import PlannedBook, UnwrittenChapter, move_run
from studio.project.store import ProjectStore
from studio.story.form.slugs import chapter_name

_MOST = 5
"""The number of chapters that one sentence names."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """The places of the new chapters, and what that changes for the planned ones."""

    sentences: tuple[str, ...] = ()
    """What the writer is told of it, before and after."""
    moves: tuple[tuple[int, int, str], ...] = ()
    """The planned chapters that make room: the number each had and has, and its title."""
    chapters: tuple[UnwrittenChapter, ...] = ()
    """The planned chapters with their new numbers."""


def arrival_at(
    store: ProjectStore,
    plan: ImportPlan,
    language: Language,
    *,
    already: int = 0,
    takes_plans: bool = False,
) -> Arrival:
    """Returns where the chapters of the plan come to stand, without its first `already`, which are
    there; `takes_plans` gives each text the plan at its place, whatever its title. Changes nothing.

    Raises StudioError: 2 or 5 for plans that cannot be read.
    """
    rows = plan.chapters_to_import[already:]
    last = store.checkpoint().last_completed_chapter
    first = max([last, *waiting_chapters(store.layout)]) + 1
    book = PlannedBook.read(store, language)
    chapters: Sequence[UnwrittenChapter] = book.chapters
    with_plan: list[tuple[int, str, str]] = []
    for number, row in enumerate(rows, start=first):
        plan_there = next((c for c in chapters if c.number == number), None)
        if plan_there is None:
            continue
        if takes_plans or _is_for(plan_there, row):
            if _says_something(plan_there):
                with_plan.append((number, row.title, plan_there.title))
        else:
            chapters = move_run(chapters, number, 1)
    moves = tuple(
        (c.origin, c.number, c.title)
        for c in chapters
        if c.origin is not None and c.origin != c.number
    )
    sentences = _sentences(store, rows, first, with_plan, moves)
    return Arrival(tuple(sentences), moves, tuple(chapters) if moves else ())


def room_for(
    store: ProjectStore, arrival: Arrival, titles: dict[int, str], language: Language
) -> PlanFiles | None:
    """Returns the change of the plans that makes room; None where there is room. `titles` are those
    of chapters that get a heading in the outline in the same change."""
    if not arrival.moves:
        return None
    book = PlannedBook.read(store, language)
    there = {chapter.number for chapter in arrival.chapters}
    volume = store.checkpoint().current_volume
    fresh = [
        UnwrittenChapter(n, volume, section=new_section(n, title, "", language))
        for n, title in titles.items()
        if n not in there
    ]
    chapters = sorted([*arrival.chapters, *fresh], key=lambda c: c.number)
    return book.draft(said("Planned chapters made room for an import."), chapters)


def _is_for(planned: UnwrittenChapter, row: ImportRow) -> bool:
    """Whether a plan is for a text: they have the same title, or one has none of its own."""
    number = planned.number
    wanted = own_title(planned.title, planned.origin or number)
    bare = {*numbered_titles(number), *(numbered_titles(row.number) if row.number else ())}
    title = "" if row.title in {*bare, str(number), row.label} else row.title
    if not title and row.number is not None:
        return row.number == number or row.label in ("", str(number))
    return not title or not wanted or same_title(title, wanted)


def same_title(one: str, other: str) -> bool:
    """Whether two titles are the same but for case, punctuation and how letters are encoded."""
    return _letters(one) == _letters(other)


def _letters(title: str) -> str:
    return letters_of(unicodedata.normalize("NFKC", title)) or title.strip()


def _says_something(planned: UnwrittenChapter) -> bool:
    """Whether there is more of a plan than a heading."""
    section = planned.section
    return planned.contract is not None or bool(section and without_notes(section.body))


def _sentences(
    store: ProjectStore,
    rows: Sequence[ImportRow],
    first: int,
    with_plan: Sequence[tuple[int, str, str]],
    moves: Sequence[tuple[int, int, str]],
) -> Iterator[str]:
    if with_plan:
        plans = _some(said("“{title}” that of “{plan}”", title=t, plan=p) for _, t, p in with_plan)
        yield said("These chapters take a plan: {plans}.", plans=plans)
    if moves:
        places = _some(
            said("“{title}” from {old} to {new}", title=title, old=str(old), new=str(new))
            for old, new, title in moves
        )
        yield said(
            "Planned chapters with other titles move behind what is brought in: {places}.",
            places=places,
        )
    yield from _doubled(store, rows, first, {old: new for old, new, _ in moves})


def _doubled(
    store: ProjectStore, rows: Sequence[ImportRow], first: int, new_numbers: dict[int, int]
) -> Iterator[str]:
    """Yields which names and titles of the new chapters others have already."""
    numbers = range(first, first + len(rows))
    labels = store.chapter_list().labels
    entries = [_renumbered(entry, new_numbers) for entry in contents(store.layout).entries]
    others = [entry for entry in entries if entry.chapter not in numbers]
    names = {e.chapter: labels.get(e.chapter, str(e.chapter)) for e in others}
    called = {n: row.label or str(n) for n, row in zip(numbers, rows, strict=True)}
    twice = {label: n for n, label in reversed(called.items()) if label in names.values()}
    if twice:
        yield said(
            "The book has chapters with these names already: {labels}. The new ones are {files} "
            "where it matters which; `studio plan label` gives them other names.",
            labels=_some(said("“{label}”", label=label) for label in reversed(twice)),
            files=_some(chapter_name(n) for n in reversed(twice.values())),
        )
    titles = [entry.title for entry in others if own_title(entry.title, entry.chapter)]
    again = [row.title for row in rows if any(same_title(row.title, t) for t in titles)]
    if again:
        yield said(
            "A chapter with this title is there already: {titles}.",
            titles=_some(said("“{title}”", title=title) for title in dict.fromkeys(again)),
        )


def _renumbered(entry: ContentsEntry, new_numbers: dict[int, int]) -> ContentsEntry:
    return entry._replace(chapter=new_numbers.get(entry.chapter, entry.chapter))


def _some(parts: Iterable[str]) -> str:
    listed = list(parts)
    more = len(listed) - _MOST
    rest = [said("{n} more", n=more)] if more > 0 else []
    return series([*listed[:_MOST], *rest])
