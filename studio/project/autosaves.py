"""Deletes autosaves of chapters that are in the book. Only on request.

An autosave is the text of a call that was stopped or cut off, kept as a variation. Every text that
was ever staged, committed or edited by hand is in history, and stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore

REASONS = (Reason.STOPPED, Reason.CUT_OFF)
"""The variation reasons that mark an autosave."""


@dataclass(frozen=True, slots=True)
class Autosave:
    """An autosaved text that may be deleted."""

    path: str
    chapter: int
    scene: int
    file: str
    size: int
    """The size of the text in bytes."""


def autosaves(store: ProjectStore) -> list[Autosave]:
    """Returns the autosaves of chapters that are in the book and not in progress. Writes
    nothing."""
    checkpoint, variations = store.checkpoint(), Variations(store.layout)
    result = []
    for chapter in range(1, checkpoint.last_completed_chapter + 1):
        if chapter == checkpoint.inflight_chapter:
            continue
        for list_ in variations.everything_of(chapter):
            for variation in list_.variations:
                path = f"{store.layout.variations(chapter)}/{variation.file}"
                info = store.root.info(path)
                if variation.reason in REASONS and variation.sha256 != list_.active and info:
                    size = info.st_size
                    result.append(Autosave(path, chapter, list_.scene, variation.file, size))
    return result


def thin_out(store: ProjectStore, autosaves_to_drop: Sequence[Autosave]) -> None:
    """Deletes autosaves. Takes the lock; those that became active or disappeared since are
    skipped."""
    with ProjectLock(store.layout.folder):
        droppable = set(autosaves(store))
        for autosave in autosaves_to_drop:
            if autosave in droppable:
                Variations(store.layout).drop(autosave.chapter, autosave.scene, autosave.file)
