"""The marks on chapters that need attention, for `status` and the outline (BOOK 9)."""

from __future__ import annotations

from typing import Literal

from studio.book.continuity.ledger import ContinuityStanding
from studio.book.promise_changes import promises_now
from studio.book.promise_standing import PromiseStanding
from studio.book.promises import OVER
from studio.project.store import ProjectStore

ChapterMark = Literal["contradiction", "promise_due", "promise_undone", "kept"]
"""The chapter contradicts the book; a promise is or was due in it; a task for a promise was left
undone; a passage is locked."""


def chapter_marks(
    store: ProjectStore, promises: PromiseStanding, continuity: ContinuityStanding
) -> dict[int, tuple[ChapterMark, ...]]:
    """Returns the marks of every chapter that has any, planned ones included, the most serious
    first.

    StudioError (exit 5) for promises or locks that cannot be read.
    """
    due = [p.plan.due for p in promises_now(store).values() if p.status not in OVER]
    chapters: dict[ChapterMark, set[int]] = {
        "contradiction": set(continuity.chapters),
        "promise_due": {chapter for chapter in due if chapter is not None},
        "promise_undone": {task.chapter for task in promises.undone if task.checked},
        "kept": {lock.chapter for lock in store.locks().locks},
    }
    return {
        number: tuple(mark for mark, numbers in chapters.items() if number in numbers)
        for number in sorted(set().union(*chapters.values()))
    }
