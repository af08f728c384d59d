"""The only access to the story: what is true, remembered and promised as of a chapter (BOOK 1).

Every prompt, check and view reads the story through this module. It returns nothing from the
chapter itself or from a later one, except what is planned openly: the outline and the schedule.
Only the order of chapters decides what may be shown; story time plays no part.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

from studio.book.author_facts import author_facts, with_facts
from studio.book.bible import Bible, BibleEntry, read_bible
from studio.book.plans import planned_promises
from studio.book.promises import PromiseEvent, PromiseSoFar, promise_events, promises_so_far
from studio.book.state_names import EntryIds
from studio.project import changelog as log
from studio.project.memories import CHAPTERS as ERA
from studio.project.memories import Era, era, memory_before
from studio.project.planning.names import name_in
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract
from studio.story.novel import Relationship
from studio.story.records import Crossref
from studio.story.secrets import Secret
from studio.story.state import StateOp, StoryState, Touched

T = TypeVar("T")
_CATEGORIES = {
    "character": "characters",
    "place": "locations",
    "item": "items",
    "faction": "factions",
}
"""Maps the kind of an entry to the category of the state that describes it."""
MOST_ERAS = 8
"""The number of eras that stand for everything in the distant past."""


class StoryAt:
    """The story as of (chapter, scene): how it stands when that chapter, or scene, begins.

    Without a scene the story is read for the whole chapter, which includes what the author says of
    its people from one of its scenes on. Each read happens once and is cached. Every member raises
    StudioError (exit 5) when a file it needs cannot be read.
    """

    def __init__(self, store: ProjectStore, chapter: int, scene: int | None = None) -> None:
        self._store = store
        self.chapter = chapter
        self.scene = scene
        self._memories: dict[str, str] = {}

    @cached_property
    def bible(self) -> Bible:
        """All entries of the bible; the text of an entry is read as of the chapter."""
        return read_bible(self._store)

    @cached_property
    def state(self) -> StoryState:
        """What is true when the chapter begins: the fold of the earlier chapters' deltas,
        overridden by the author's own facts about them."""
        facts = author_facts(self._store, self.bible)
        tree = self.ids.join(self.state_before.tree)
        tree = with_facts(tree, facts, self.chapter, self._increments)
        return self.state_before.copy_with(**dict(tree))

    def _increments(self) -> Iterator[tuple[int, StateOp]]:
        """Yields what earlier chapters add to numbers, by the entries that are meant."""
        for chapter, entry in self.entries.items():
            for op in entry.ops:
                if op.get("op") == "inc":
                    yield chapter, self.ids.of_entry(StateOp.model_validate(op))

    @cached_property
    def ids(self) -> EntryIds:
        """Which entry each id of the state means."""
        return EntryIds(self.bible)

    def name_of(self, slug: str) -> str:
        """Returns the name of an entry, else the one the state keeps, else the id."""
        entry = self.bible.entries.get(slug)
        if entry is not None:
            return entry.name
        values = (self.state.tree[category].get(slug) for category in _CATEGORIES.values())
        return next(filter(None, map(name_in, values)), slug)

    def about(self, entry: BibleEntry) -> dict[str, Any]:
        """Returns what the state says of an entry."""
        values = self.state.tree.get(_CATEGORIES.get(entry.kind, "world_state"), {})
        own = values.get(entry.slug, {})
        return own if isinstance(own, dict) else {"value": own}

    @cached_property
    def state_before(self) -> StoryState:
        """The fold of the deltas of all earlier chapters."""
        present = self._store.state()
        if present.last_chapter < self.chapter:
            return present
        return self._log.state_before(self.chapter)

    @cached_property
    def _log(self) -> log.Changelog:
        return self._store.changelog()

    @cached_property
    def entries(self) -> dict[int, log.ChangelogEntry]:
        """The changelog line in force for each earlier chapter, in chapter order."""
        return self._before(self._log.by_chapter)

    @cached_property
    def touched_by_chapter(self) -> dict[int, Touched]:
        """What each earlier chapter affected, in chapter order."""
        return self._before(self._log.touched_by_chapter)

    def _before(self, chapters: dict[int, T]) -> dict[int, T]:
        """Keeps only the earlier chapters of a mapping by chapter, in chapter order."""
        count = bisect_left(list(chapters), self.chapter)
        return dict(islice(chapters.items(), count))

    def memory(self, storyline_id: str) -> str:
        """Returns the memory of a storyline when the chapter begins."""
        if storyline_id not in self._memories:
            newest = reversed(self.entries.items())
            chapters = (n for n, entry in newest if entry.storyline_id == storyline_id)
            memory = memory_before(self._store, storyline_id, self.chapter, chapters)
            self._memories[storyline_id] = memory.strip()
        return self._memories[storyline_id]

    def summary(self, chapter: int) -> str:
        """Returns the summary of an earlier chapter; empty for this chapter and later ones."""
        if chapter >= self.chapter:
            return ""
        return (self._store.summary(chapter) or "").strip()

    def summaries(self, chapters: Iterable[int]) -> dict[int, str]:
        """Returns the existing summaries of these chapters, in ascending order."""
        texts = self._store.summaries(sorted({n for n in chapters if n < self.chapter}))
        return {number: text.strip() for number, text in texts.items() if text.strip()}

    def eras(self, before: int) -> Iterator[Era]:
        """Yields the eras that end before chapter `before`, which is capped at this chapter: the
        book's first ones and the latest ones, so only a few are read however long the book is."""
        ends = list(range(ERA, min(before, self.chapter), ERA))
        chosen = ends if len(ends) <= MOST_ERAS else [ends[0], *ends[1 - MOST_ERAS :]]
        for last in chosen:
            if (made := era(self._store, last - ERA + 1)) is not None:
                yield made

    def crossref(self, chapter: int) -> Crossref | None:
        """Returns what an earlier chapter mentions of other storylines."""
        return self._store.crossref(chapter) if chapter < self.chapter else None

    def promises(self, volume: int) -> dict[str, PromiseSoFar]:
        """Returns every promise that is planned in the book or the volume, or was ever planted, by
        id, with what the earlier chapters did for it."""
        plans = planned_promises(self._store, volume)
        return promises_so_far(plans, self._promise_events)

    @cached_property
    def _promise_events(self) -> dict[str, list[PromiseEvent]]:
        deltas = self._log.promise_deltas
        return promise_events(delta for delta in deltas if delta.chapter in self.entries)

    def opened_later(self, promise: PromiseSoFar) -> bool:
        """Whether a promise belongs to this chapter or a later one: no prompt may mention it yet
        unless the plan of the chapter names it."""
        return not promise.events and (promise.plan.planted or 0) >= self.chapter

    @cached_property
    def secrets(self) -> tuple[Secret, ...]:
        """Secrets that somebody knows by the end of the chapter; the others are never mentioned."""
        every = self._store.secrets().secrets
        return tuple(s for s in every if s.may_be_told(self.chapter, self.scene))

    @cached_property
    def relationships(self) -> tuple[Relationship, ...]:
        """How the people of the story relate to each other."""
        return self._store.relationships().relationships


MOST = 4
"""The number of related chapters in a prompt besides the latest ones, however long the book is."""
_PROMISE, _SLUG, _LINE = 4, 2, 1
"""The weights of a shared promise, a shared person or thing, and a shared storyline."""
_LEAST = 3
"""The least score of related chapters: a shared storyline alone is no reason."""


def related_chapters(
    contract: ChapterContract,
    slugs: Collection[str],
    touched: Mapping[int, Touched],
    latest: int,
) -> list[int]:
    """Returns up to four chapters before `latest` that share most with the plan, ascending.

    `touched` maps each chapter to what it affected; `slugs` are the people, places and things of
    the plan; later chapters win ties.
    """
    tasks, own = {task.id for task in contract.foreshadowing}, set(slugs)
    best: list[tuple[int, int]] = []
    for number, (line, promises, theirs) in touched.items():
        if number >= latest or (promises.isdisjoint(tasks) and theirs.isdisjoint(own)):
            continue
        shared = _PROMISE * len(promises & tasks) + _SLUG * len(theirs & own)
        score = shared + (_LINE if line == contract.storyline_id else 0)
        if score >= _LEAST:
            best.append((score, number))
    return sorted(number for _, number in sorted(best, reverse=True)[:MOST])
