"""The author's locks on passages: adding, removing and looking them up (BOOK 7).

A command changes them immediately, outside a commit; history keeps the previous locks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.author.replace import replace
from studio.project.clock import now
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, Paragraph, passage_text
from studio.story.form.document import to_bytes
from studio.story.review.passage import PassagePlace, place_of
from studio.story.review.passage_locks import PassageLock, PassageLocks, hashes_of, lock_hash

_QUOTED = 60
"""Characters of a passage that are quoted to identify it."""


@dataclass(frozen=True, slots=True)
class LockedPassage:
    """A lock, and where its words are in the chapter now."""

    lock: PassageLock
    places: tuple[PassagePlace, ...]
    """The places of the words; empty if the author has changed them since, so that nothing is
    locked."""


def text_in_work(store: ProjectStore, chapter: int) -> Chapter:
    """Returns the chapter in progress, else the one in the book. Raises StudioError (exit 2) for
    neither."""
    text = None
    if store.checkpoint().inflight_chapter == chapter:
        text = store.staging_of(chapter).exact_text()
    text = text or store.chapter(chapter)
    if text is None:
        raise usage(
            said("Chapter {chapter} has no text yet.", chapter=chapter),
            said("`studio write {chapter}` begins it.", chapter=chapter),
        )
    return text


def keep_passage(store: ProjectStore, chapter: int, place: PassagePlace) -> PassageLock:
    """Locks a passage; if an existing lock covers all of it, returns that one.

    Raises StudioError: exit 2 if there is no such passage, 3 if the novel is locked.
    """
    with ProjectLock(store.layout.folder):
        text = text_in_work(store, chapter)
        passage = place.within(text, chapter)
        hashes = tuple(lock_hash(p.text) for p in passage)
        locks = store.locks()
        for lock in locks.of(chapter):
            if set(passage) <= set(lock.paragraphs_in(text)):
                return lock
        lock = PassageLock(
            id=locks.next_id(),
            chapter=chapter,
            paragraphs=hashes,
            quote=passage_text(passage)[:_QUOTED],
            created_at=now(),
        )
        _write(store, locks.copy_with(locks=(*locks.locks, lock)), Reason.PASSAGE_LOCKED)
    return lock


def free_passage(store: ProjectStore, chapter: int, place: PassagePlace) -> int:
    """Removes the locks on a passage; returns how many of its paragraphs were locked.

    Raises StudioError: exit 2 if there is no such passage or none of it is locked, 3 if the novel
    is locked.
    """
    with ProjectLock(store.layout.folder):
        text, locks = text_in_work(store, chapter), store.locks()
        held = locks.held_in(chapter, text)
        passage = [p for p in place.within(text, chapter) if (p.scene, p.number) in held]
        if not passage:
            raise usage(
                said(
                    "No part of the passage {place} of chapter {chapter} is locked.",
                    place=place,
                    chapter=chapter,
                ),
                said("`studio keep list {chapter}` shows what is.", chapter=chapter),
            )
        hashes = frozenset[str]().union(*(hashes_of(p.text) for p in passage))
        fewer = locks.without(chapter, hashes)
        _write(store, fewer, Reason.PASSAGE_FREE)
    return len(passage)


def drop_lock(store: ProjectStore, lock_id: str) -> PassageLock:
    """Removes one lock, even if its words are gone. Raises StudioError (exit 2) if there is
    none."""
    with ProjectLock(store.layout.folder):
        locks = store.locks()
        lock = next((one for one in locks.locks if one.id == lock_id), None)
        if lock is None:
            raise usage(
                said("There is no lock {lock_id}.", lock_id=lock_id),
                said("`studio keep list` shows all."),
            )
        others = tuple(one for one in locks.locks if one is not lock)
        _write(store, locks.copy_with(locks=others), Reason.PASSAGE_FREE)
    return lock


def locked_passages(store: ProjectStore, chapter: int | None = None) -> list[LockedPassage]:
    """Returns all locks, or those of one chapter, sorted by chapter and place."""
    rows = [
        LockedPassage(lock, tuple(_places(store, lock)))
        for lock in store.locks().locks
        if chapter in (None, lock.chapter)
    ]
    return sorted(rows, key=lambda row: (row.lock.chapter, row.places, row.lock.id))


def refuse_locked(store: ProjectStore, chapter: int, text: Chapter, place: PassagePlace) -> None:
    """Raises StudioError (exit 2) if the author has locked a paragraph of this passage."""
    held = store.locks().held_in(chapter, text)
    passage = [p for p in place.within(text, chapter) if (p.scene, p.number) in held]
    if passage:
        first = _places_of(passage)[0]
        raise usage(
            said(
                "You keep the passage {first} of chapter {chapter} as it is.",
                first=first,
                chapter=chapter,
            ),
            said(
                "`studio keep remove {chapter} --passage {first}` frees it.",
                chapter=chapter,
                first=first,
            ),
        )


def _places(store: ProjectStore, lock: PassageLock) -> list[PassagePlace]:
    text = store.staging_of(lock.chapter).text() or store.chapter(lock.chapter)
    return _places_of(lock.paragraphs_in(text)) if text is not None else []


def _places_of(paragraphs: Iterable[Paragraph]) -> list[PassagePlace]:
    """Groups adjacent paragraphs into passages, in the order of the text."""
    runs: list[list[Paragraph]] = []
    for p in paragraphs:
        if runs and runs[-1][-1].scene == p.scene and runs[-1][-1].number + 1 == p.number:
            runs[-1].append(p)
        else:
            runs.append([p])
    return [place_of(tuple(run)) for run in runs]


def _write(store: ProjectStore, locks: PassageLocks, reason: Reason) -> None:
    replace(store, places.LOCKS, to_bytes(locks), reason)
