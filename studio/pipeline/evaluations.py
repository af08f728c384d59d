"""The evaluation that belongs to a sheet of directives: it holds the advice that is not a fix."""

from __future__ import annotations

from studio.errors import StudioError
from studio.pipeline.judging.quotes import counsel_in
from studio.project.store import ProjectStore
from studio.story.review.directive import DirectiveSheet
from studio.story.review.evaluation import Evaluation


def evaluation_beside(store: ProjectStore, sheet: DirectiveSheet) -> Evaluation | None:
    """Returns the evaluation of the same chapter, staged or committed, with what is the author's to
    decide as it stands in the present text; None if there is none or if it cannot be read, because
    directives are shown without it."""
    try:
        if store.checkpoint().inflight_chapter == sheet.chapter:
            staged = store.staging_of(sheet.chapter)
            evaluation, text = staged.evaluation(), staged.text()
        else:
            evaluation, text = store.evaluation(sheet.chapter), store.chapter(sheet.chapter)
    except StudioError:
        return None
    if evaluation is None:
        return None
    return evaluation.model_copy(update={"counsel": counsel_in(evaluation.counsel, text)})
