"""Checks that foreshadowing/global.json agrees with the promise events in the changelog (BOOK
3)."""

from __future__ import annotations

from collections.abc import Iterator

from studio.errors import StudioError
from studio.messages import said
from studio.project import changelog as log
from studio.project import layout as places
from studio.project.check.findings import Finding, damage
from studio.project.commit.plan import refold
from studio.project.store import ProjectStore
from studio.story.novel import Foreshadowing, Promise
from studio.story.state import StoryState, accepted


def promises_follow_from_the_changelog(store: ProjectStore) -> Iterator[Finding]:
    """Checks that the stored status of each promise follows from the accepted events."""
    try:
        book = store.foreshadowing()
        entries = log.counting(store.changelog().entries).values()
        deltas = [entry.delta() for entry in entries]
    except StudioError as error:
        yield damage(places.FORESHADOWING, error)
        return
    events = [
        delta.model_copy(update={"ops": tuple(op for op in delta.ops if op.op == "foreshadow")})
        for delta in accepted(StoryState().tree, deltas)
    ]
    derived = refold(book, Foreshadowing(), {promise.id for promise in book.promises}, events)
    present = {promise.id: promise for promise in book.promises}
    for promise in derived.promises:
        stored = present.get(promise.id)
        if stored is None or _standing(stored) != _standing(promise):
            yield Finding(
                severity="note",
                path=places.FORESHADOWING,
                message=said(
                    "{foreshadowing} has {id} as {words}; by the chapters' events it is {words2}.",
                    foreshadowing=places.FORESHADOWING,
                    id=promise.id,
                    words=_words(stored),
                    words2=_words(promise),
                ),
                hint=said("The events count. `studio promises settle` adds one that is missing."),
            )


def _standing(promise: Promise) -> tuple[object, ...]:
    return promise.status, promise.planted, promise.last, promise.resolved


def _words(promise: Promise | None) -> str:
    if promise is None:
        return "nothing"
    return promise.status + (said(" in chapter {n}", n=promise.last) if promise.last else "")
