"""The evaluation that belongs to a sheet of directives: it holds the advice that is not a fix."""

from __future__ import annotations

from studio.errors import StudioError
from studio.project.store import ProjectStore
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation


def evaluation_beside(store: ProjectStore, sheet: DirectiveSheet) -> Evaluation | None:
    """Returns the evaluation of the same chapter, staged or committed; None if there is none or
    if it cannot be read, because directives are shown without it."""
    try:
        if store.checkpoint().inflight_chapter == sheet.chapter:
            return store.staging_of(sheet.chapter).evaluation()
        return store.evaluation(sheet.chapter)
    except StudioError:
        return None
