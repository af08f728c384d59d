"""Promises to the reader: what is planned, and what the chapters have done for it so far (G5).

The fold of the events that the story's state accepts is authoritative; the status in
foreshadowing/global.json is a copy of it. Overdue and dormant are computed on demand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from studio.story.novel import Promise, PromiseStatus
from studio.story.state import KIND_OF_ACTION, Delta, EventKind

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
    def status(self) -> PromiseStatus:
        """The status of the promise; `planned` where no chapter has done anything for it."""
        return self.events[-1].kind if self.events else "planned"

    @property
    def planted(self) -> int | None:
        """The chapter that planted the promise."""
        return next((e.chapter for e in self.events if e.kind == "planted"), None)

    @property
    def last(self) -> int | None:
        """The last chapter that touched the promise."""
        return self.events[-1].chapter if self.events else None

    @property
    def resolved(self) -> int | None:
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
