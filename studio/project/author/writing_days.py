""".studio/writing-days.json: how much the author wrote on which day. Nothing else depends on it."""

from __future__ import annotations

from datetime import date

from studio.errors import StudioError
from studio.project import layout as places
from studio.project.files import load
from studio.project.store import ProjectStore
from studio.story.chapter_ids import number_in
from studio.story.form.document import to_bytes
from studio.story.writing_days import WritingDays


def writing_days(store: ProjectStore) -> WritingDays:
    """Returns the recorded days; empty if the file is missing or cannot be read."""
    try:
        return load.document(store.root, WritingDays, places.WRITING_DAYS) or WritingDays()
    except StudioError:
        return WritingDays()


def name_among_days(store: ProjectStore, chapter: int) -> str:
    """Returns the name by which the days count a chapter, whatever its number will be."""
    try:
        name = store.chapter_list().id_of(chapter)
    except StudioError:
        return str(chapter)
    return str(number_in(name) or name)


def keep_length(
    store: ProjectStore, day: date, chapter: int | str, before: int, now: int
) -> WritingDays:
    """Records that a chapter's length, `before` when it was opened, is `now`; `chapter` is its name
    among the days.

    Raises StudioError (exit 1) if the file cannot be written.
    """
    known = writing_days(store)
    fresh = known.with_length(day, chapter, before, now)
    if fresh != known:
        store.root.write(places.WRITING_DAYS, to_bytes(fresh), durable=False)
    return fresh
