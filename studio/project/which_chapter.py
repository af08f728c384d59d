"""Which chapter a number or a typed name means, by state/chapters.json, which this carries on.

The file is part of every commit of a chapter and of every change of plans, so that numbers and ids
never disagree. Without it, chapters have the ids made from their numbers.
"""

from __future__ import annotations

from studio.project.index import contents
from studio.project.store import ProjectStore
from studio.story.chapter_list import ChapterList


def chapter_meant(store: ProjectStore, typed: str) -> int | None:
    """Returns the number of the chapter that somebody typed, by its label, its number, the name of
    its file or its id; None for words that name none. Everything that takes a chapter from the
    author asks this.

    Raises StudioError: exit 2 for what two chapters are called; 5 for a damaged list.
    """
    listed = store.chapter_list()
    if not listed.labels:  # then a number is a number, and nothing else is read
        return listed.meant_by(typed, ())
    return listed.meant_by(typed, chapters_there_are(store))


def as_number(store: ProjectStore, typed: str) -> str:
    """Returns the number of the chapter that somebody typed, as words; other words as they are.
    Raises StudioError like `chapter_meant`."""
    number = chapter_meant(store, typed)
    return typed if number is None else str(number)


def chapters_there_are(store: ProjectStore) -> set[int]:
    """Returns the numbers of all chapters with a text or a plan."""
    listed = (c.number for c in store.chapter_list().chapters if not c.shelf)
    return {*listed, *(entry.chapter for entry in contents(store.layout).entries)}


def list_to_begin_with(store: ProjectStore) -> ChapterList:
    """Returns the list, or one of all chapters with a text or a plan if there is none yet; raises
    StudioError (exit 5) for a damaged one."""
    listed = store.chapter_list()
    if listed.chapters:
        return listed
    planned, volumes, volume = store.planned_chapters(), {}, 1
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
