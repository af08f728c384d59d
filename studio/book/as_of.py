"""The one door to the story: what is true, remembered and promised as of a chapter (BOOK 1).

Every prompt, check and view passes through it. Nothing of the chapter itself or of a later one
comes out, except what is planned openly: the outline and the schedule. Story time plays no part
here; what may be shown is decided by the order of chapters.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

from studio.book.author_facts import author_facts, with_facts
from studio.book.entries import Bible, Entry, read_bible
from studio.book.promise_plans import planned_promises
from studio.book.promises import PromiseEvent, PromiseSoFar, promise_events, promises_so_far
from studio.project import changelog as log
from studio.project.eras import CHAPTERS as ERA
from studio.project.eras import Era, era
from studio.project.line_memory import memory_before
from studio.project.store import ProjectStore
from studio.story.novel import Relationship
from studio.story.records import Crossref
from studio.story.secrets import Secret
from studio.story.state import StoryState, Touched

T = TypeVar("T")
_CATEGORIES = {
    "character": "characters",
    "place": "locations",
    "item": "items",
    "faction": "factions",
}
"""Kind of an entry to the part of the state that speaks of it."""
MOST_ERAS = 8
"""Eras that stand for all that is long past."""


class StoryAt:
    """The story as of (chapter, scene): how it stands when that chapter, or scene, begins.

    Without a scene it is read for the whole chapter: what the author says of its people from
    one of its scenes on is in it. Reads are made once and remembered. StudioError (exit 5)
    wherever a file that is asked for cannot be read.
    """

    def __init__(self, store: ProjectStore, chapter: int, scene: int | None = None) -> None:
        self._store = store
        self.chapter = chapter
        self.scene = scene
        self._memories: dict[str, str] = {}

    @cached_property
    def bible(self) -> Bible:
        """All entries of the bible; what is told of one is asked of its text, at the chapter."""
        return read_bible(self._store)

    @cached_property
    def state(self) -> StoryState:
        """What is true when the chapter begins: the fold of the chapters before, and over it
        what the author herself says of them."""
        facts = author_facts(self._store, self.bible)
        if not facts:
            return self.folded
        tree = with_facts(self.folded.tree, facts, self.chapter)
        return self.folded.model_copy(update=dict(tree))

    def about(self, entry: Entry) -> dict[str, Any]:
        """What the state says of an entry."""
        values = self.state.tree.get(_CATEGORIES.get(entry.kind, "world_state"), {})
        own = values.get(entry.slug, {})
        return own if isinstance(own, dict) else {"value": own}

    @cached_property
    def folded(self) -> StoryState:
        """The fold of the deltas of all chapters before."""
        present = self._store.state()
        if present.last_chapter < self.chapter:
            return present
        return self._log.state_before(self.chapter)

    @cached_property
    def _log(self) -> log.Changelog:
        return self._store.changelog()

    @cached_property
    def entries(self) -> dict[int, log.Entry]:
        """The line of the changelog that counts for each chapter before, in their order."""
        return self._before(self._log.by_chapter)

    @cached_property
    def touched(self) -> dict[int, Touched]:
        """What each chapter before had to do with, in their order."""
        return self._before(self._log.touched)

    def _before(self, chapters: dict[int, T]) -> dict[int, T]:
        """Of what is known of chapters, in their order, what belongs to those before."""
        count = bisect_left(list(chapters), self.chapter)
        return dict(islice(chapters.items(), count))

    def memory(self, storyline_id: str) -> str:
        """What a storyline remembers when the chapter begins."""
        if storyline_id not in self._memories:
            newest = reversed(self.entries.items())
            chapters = (n for n, entry in newest if entry.storyline_id == storyline_id)
            memory = memory_before(self._store, storyline_id, self.chapter, chapters)
            self._memories[storyline_id] = memory.strip()
        return self._memories[storyline_id]

    def summary(self, chapter: int) -> str:
        """The summary of a chapter before; empty for the chapter itself and every later one."""
        if chapter >= self.chapter:
            return ""
        return (self._store.summary(chapter) or "").strip()

    def summaries(self, chapters: Iterable[int]) -> dict[int, str]:
        """The summaries there are of these chapters, ascending."""
        texts = self._store.summaries(sorted({n for n in chapters if n < self.chapter}))
        return {number: text.strip() for number, text in texts.items() if text.strip()}

    def eras(self, before: int) -> Iterator[Era]:
        """The eras that end before a chapter, itself no later than this one: the book's first and
        the latest ones, so that however long the book is no more than a few are read."""
        ends = list(range(ERA, min(before, self.chapter), ERA))
        chosen = ends if len(ends) <= MOST_ERAS else [ends[0], *ends[1 - MOST_ERAS :]]
        for last in chosen:
            if (made := era(self._store, last - ERA + 1)) is not None:
                yield made

    def crossref(self, chapter: int) -> Crossref | None:
        """What a chapter before mentions of other lines."""
        return self._store.crossref(chapter) if chapter < self.chapter else None

    def promises(self, volume: int) -> dict[str, PromiseSoFar]:
        """Every promise that is planned in the book or the volume, or was ever planted, by id,
        with what the chapters before did for it."""
        plans = planned_promises(self._store, volume)
        return promises_so_far(plans, self._promise_events)

    @cached_property
    def _promise_events(self) -> dict[str, list[PromiseEvent]]:
        deltas = self._log.promise_deltas
        return promise_events(delta for delta in deltas if delta.chapter in self.entries)

    def opened_later(self, promise: PromiseSoFar) -> bool:
        """Whether a promise belongs to this chapter or a later one: nobody may hear of it yet
        unless the plan of the chapter names it."""
        return not promise.events and (promise.plan.planted or 0) >= self.chapter

    @cached_property
    def secrets(self) -> tuple[Secret, ...]:
        """Secrets that somebody knows by the end of the chapter; of the others nothing is said."""
        every = self._store.secrets().secrets
        return tuple(s for s in every if s.may_be_told(self.chapter, self.scene))

    @cached_property
    def relationships(self) -> tuple[Relationship, ...]:
        """How people stand to each other."""
        return self._store.relationships().relationships
