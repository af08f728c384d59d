"""Carries on state/chapters.json: which chapter a number means.

The file is part of every commit of a chapter and of every change of plans, so that numbers and ids
never disagree. Without it, chapters have the ids made from their numbers.
"""

from __future__ import annotations

from studio.project.store import ProjectStore
from studio.story.chapter_ids import ChapterList


def list_to_begin_with(store: ProjectStore) -> ChapterList:
    """Returns the list, or one of all chapters with a text or a plan if there is none yet; raises
    StudioError (exit 5) for a damaged one."""
    listed = store.chapter_list()
    if listed.chapters:
        return listed
    planned, volumes, volume = store.planned(), {}, 1
    for number in sorted({*planned, *store.chapter_numbers()}):
        volume = volumes[number] = planned.get(number, volume)
    return listed.with_chapters(volumes)


def listed_with(store: ProjectStore, chapter: int) -> ChapterList:
    """Returns the list with a chapter that is about to enter the book."""
    listed = list_to_begin_with(store)
    if any(known.number == chapter and not known.shelf for known in listed.chapters):
        return listed
    volumes = store.layout.contract_volumes(chapter)
    volume = volumes[0] if volumes else store.checkpoint().current_volume
    return listed.with_chapters({chapter: volume})
