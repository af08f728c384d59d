"""The plans of a book's chapters, each read once and shared by all callers."""

from __future__ import annotations

from functools import cached_property

from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract


class Plans:
    """The contracts as of their first read; valid for one pass over the book and no longer.

    StudioError (exit 5) for one that cannot be read.
    """

    def __init__(self, store: ProjectStore) -> None:
        self._store = store
        self._contracts: dict[int, ChapterContract | None] = {}

    @cached_property
    def volumes(self) -> dict[int, int]:
        """Chapters that have a contract, ascending, and the volume of each."""
        return self._store.planned()

    def of(self, chapter: int) -> ChapterContract | None:
        """Returns the contract of a chapter."""
        if chapter not in self._contracts:
            volume = self.volumes.get(chapter)
            planned = None if volume is None else self._store.contract_in(volume, chapter)
            self._contracts[chapter] = planned
        return self._contracts[chapter]
