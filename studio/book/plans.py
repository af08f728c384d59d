"""The plans of a book's chapters, each read once however many ask."""

from __future__ import annotations

from functools import cached_property

from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract


class Plans:
    """The contracts as they are when first asked for: for one look at the book, and no longer.

    StudioError (exit 5) for one that cannot be read.
    """

    def __init__(self, store: ProjectStore) -> None:
        self._store = store
        self._contracts: dict[int, ChapterContract | None] = {}

    @cached_property
    def volumes(self) -> dict[int, int]:
        """Chapters that have a contract, ascending, and the volume each stands in."""
        return self._store.planned()

    def of(self, chapter: int) -> ChapterContract | None:
        """The plan of a chapter."""
        if chapter not in self._contracts:
            volume = self.volumes.get(chapter)
            planned = None if volume is None else self._store.contract_in(volume, chapter)
            self._contracts[chapter] = planned
        return self._contracts[chapter]
