"""Promises to the reader: what is planned, and what the chapters have done for it so far (G5).

The fold of the events that the story's state accepts is authoritative; the status in
foreshadowing/global.json is a copy of it. Overdue and dormant are computed on demand. The passage
that planted a promise is read as it is in the book today, and a chapter's contract says what it
should do for which (S9).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from studio.errors import none_if_damaged
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, Paragraph, sha256_of
from studio.story.contract import ChapterContract, ForeshadowTask
from studio.story.novel import Promise, PromiseStatus
from studio.story.review.demand import letters
from studio.story.state import KIND_OF_ACTION, Delta, EventKind, read_by_a_model

OVER = frozenset({"resolved", "abandoned"})


class PromiseEvent(NamedTuple):
    """What one chapter did for a promise, with the words that show it where they are known."""

    kind: EventKind
    chapter: int
    paragraph_sha256: str | None = None
    quote: str = ""


class PromiseSoFar(NamedTuple):
    """A promise with everything that was done for it, oldest first."""

    plan: Promise
    events: tuple[PromiseEvent, ...] = ()

    @property
    def id(self) -> str:
        """The promise's id."""
        return self.plan.id

    @property
    def words(self) -> str:
        """The promise in the book's language: its description, or else the words of the first
        chapter that shows it; "" where nobody wrote any."""
        return self.plan.description or next((e.quote for e in self.events if e.quote), "")

    @property
    def status(self) -> PromiseStatus:
        """The status of the promise; `planned` where no chapter has done anything for it."""
        return self.events[-1].kind if self.events else "planned"

    @property
    def chapter_of_planting(self) -> int | None:
        """The chapter that planted the promise."""
        return next((e.chapter for e in self.events if e.kind == "planted"), None)

    @property
    def last(self) -> int | None:
        """The last chapter that touched the promise."""
        return self.events[-1].chapter if self.events else None

    @property
    def chapter_of_payment(self) -> int | None:
        """The chapter that paid the promise."""
        return next((e.chapter for e in reversed(self.events) if e.kind == "resolved"), None)

    @property
    def is_open(self) -> bool:
        """Whether the reader is still waiting for the promise to be paid."""
        return bool(self.events) and self.status not in OVER

    @property
    def seed(self) -> PromiseEvent | None:
        """The event that planted the promise."""
        return next((event for event in self.events if event.kind in ("planted", "advanced")), None)

    def is_overdue(self, chapter: int) -> bool:
        """Whether the promise was due before `chapter` begins and is not paid."""
        due = self.plan.due
        return due is not None and due < chapter and self.status not in OVER

    def is_dormant(self, chapter: int) -> bool:
        """Whether the promise is open and has been untouched for longer than it may rest."""
        rest = chapter - (self.last or chapter)
        return self.is_open and rest > self.plan.dormant_after


def promises_so_far(
    plans: Mapping[str, Promise], events: Mapping[str, Sequence[PromiseEvent]]
) -> dict[str, PromiseSoFar]:
    """Returns each planned or touched promise by id, with what was done for it."""
    ids = (*plans, *(promise for promise in events if promise not in plans))
    return {
        promise: PromiseSoFar(
            plans.get(promise) or Promise(id=promise), tuple(events.get(promise, ()))
        )
        for promise in ids
    }


def promise_events(deltas: Iterable[Delta]) -> dict[str, list[PromiseEvent]]:
    """Returns what these deltas, one per chapter and ascending, do for each promise.

    Only operations that the state accepts are events: `Changelog.promise_deltas` has no others.
    """
    events: dict[str, list[PromiseEvent]] = {}
    for delta in deltas:
        for op in delta.ops:
            if op.op == "foreshadow" and str(op.value) in KIND_OF_ACTION:
                kind = KIND_OF_ACTION[str(op.value)]
                event = PromiseEvent(kind, delta.chapter, op.paragraph_sha256, op.quote)
                events.setdefault(op.path, []).append(event)
    return events


def seed_passage(store: ProjectStore, promise: PromiseSoFar) -> tuple[int, str] | None:
    """Returns the chapter and the words of the paragraph that planted a promise.

    The paragraph its event names, else the one that contains its quote, else the quote alone; None
    where nothing is known. StudioError (exit 5) for a chapter that cannot be read.
    """
    seed = promise.seed
    if seed is None:
        return None
    chapter = store.chapter(seed.chapter)
    paragraph = paragraph_of(chapter, seed.paragraph_sha256, seed.quote) if chapter else None
    words = paragraph.prose if paragraph is not None else seed.quote
    return (seed.chapter, words) if words else None


def paragraph_of(chapter: Chapter, sha256: str | None, quote: str) -> Paragraph | None:
    """Returns the paragraph with that hash, else the first that contains the quote."""
    paragraphs = chapter.paragraphs
    same = (p for p in paragraphs if sha256 is not None and sha256_of(p.text) == sha256)
    quoted = (p for p in paragraphs if quote and quote in p.prose)
    return next(same, None) or next(quoted, None)


def is_planting_gone(store: ProjectStore, promise: PromiseSoFar) -> bool:
    """Whether an open promise was planted with words that its chapter has no more: the reader is
    promised nothing there. A chapter that cannot be read says nothing."""
    seed = promise.seed
    if seed is None or not seed.quote or not promise.is_open:
        return False
    chapter = none_if_damaged(lambda: store.chapter(seed.chapter))
    if chapter is None or paragraph_of(chapter, seed.paragraph_sha256, seed.quote) is not None:
        return False
    return letters(seed.quote) not in letters(chapter.text)


@dataclass(frozen=True, slots=True)
class TasksOfChapter:
    """The tasks of one chapter that no event carries out."""

    chapter: int
    undone: tuple[ForeshadowTask, ...] = ()
    unchecked: tuple[ForeshadowTask, ...] = ()
    """Tasks that could not be checked because no model extracted the events of the text."""


def tasks_of(contract: ChapterContract, delta: Delta | None) -> TasksOfChapter:
    """Returns a chapter's undone and unchecked tasks; `delta` is None while it is unwritten."""
    if delta is None:
        return TasksOfChapter(contract.chapter)
    events = {(op.path, op.value) for op in delta.ops if op.op == "foreshadow"}
    missing = tuple(t for t in contract.foreshadowing if (t.id, t.action) not in events)
    if read_by_a_model(delta.ops):
        return TasksOfChapter(contract.chapter, undone=missing)
    return TasksOfChapter(contract.chapter, unchecked=missing)
