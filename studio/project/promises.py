"""Promises to the reader after the foreshadow ops of a chapter (seed B7)."""

from __future__ import annotations

from collections.abc import Iterable

from studio.story.novel import Foreshadowing, Promise
from studio.story.state import Delta

_STATUS = {"plant": "planted", "advance": "advanced", "resolve": "resolved"}


def carry_on(known: Foreshadowing, volume: Foreshadowing, delta: Delta) -> Foreshadowing:
    """The book's promises after one more chapter.

    A promise the book does not list yet comes from the volume's list, or is
    new.
    """
    planned = {promise.id: promise for promise in volume.promises}
    promises = {promise.id: promise for promise in known.promises}
    for op in delta.ops:
        if op.op == "foreshadow" and op.value in _STATUS:
            old = promises.get(op.path) or planned.get(op.path) or Promise(id=op.path)
            promises[op.path] = _after(old, str(op.value), delta.chapter)
    return known.model_copy(update={"promises": tuple(promises.values())})


def refold(
    known: Foreshadowing, volume: Foreshadowing, touched: set[str], deltas: Iterable[Delta]
) -> Foreshadowing:
    """The book's promises when an earlier chapter changed: those `touched` are told anew."""
    fresh = {"status": "planned", "planted": None, "last": None, "resolved": None}
    book = known.model_copy(
        update={
            "promises": tuple(
                p.model_copy(update=fresh) if p.id in touched else p for p in known.promises
            )
        }
    )
    for delta in deltas:
        book = carry_on(book, volume, delta)
    return book


def _after(promise: Promise, action: str, chapter: int) -> Promise:
    changes: dict[str, object] = {"status": _STATUS[action], "last": chapter}
    if action == "plant":
        changes["planted"] = promise.planted or chapter
    if action == "resolve":
        changes["resolved"] = chapter
    return promise.model_copy(update=changes)
