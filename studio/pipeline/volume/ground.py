"""What a chapter that has not begun can be written from."""

from __future__ import annotations

from typing import NamedTuple

from studio.book.plans import volume_of
from studio.pipeline.volume.milestones import is_due
from studio.project.planning.imports import waiting_draft
from studio.project.store import ProjectStore


class Ground(NamedTuple):
    """What a chapter can be written from, besides a model that drafts it."""

    plan: bool
    text: bool
    due: bool = False
    """Whether a run has something to do or ask before the chapter begins, for which nothing else
    is needed."""

    @property
    def is_there(self) -> bool:
        """Whether a run would not be refused for lack of a plan."""
        return self.plan or self.text or self.due


def ground_of(store: ProjectStore, chapter: int) -> Ground:
    """Returns what a chapter can be written from. StudioError (exit 5) for a file that cannot be
    read."""
    plan = store.contract(chapter) or store.outline_section(chapter, volume_of(store, chapter))
    is_written = store.root.info(store.layout.chapter(chapter)) is not None
    text = is_written or waiting_draft(store.layout, chapter) is not None
    return Ground(bool(plan), text, is_due(store))
