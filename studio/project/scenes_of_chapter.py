"""The scenes of a chapter's text as they are called, with the file that says where those of a
joined chapter begin (CONTRACTS 5)."""

from __future__ import annotations

from studio.errors import none_if_damaged
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.review.scenes_in_text import PlannedScenes, TextScenes, follow, scenes_in


def scenes_of(store: ProjectStore, number: int, text: Chapter) -> TextScenes:
    """Returns the scenes of `text`, which is that of a chapter."""
    planned = planned_file(store, number)
    return scenes_in(text, planned, _source(store, planned, text) if planned else None)


def scenes_as_of(store: ProjectStore, number: int, text: Chapter) -> PlannedScenes | None:
    """Returns the file of a chapter's planned scenes as that of `text`; None if it has none, or the
    text has none of them."""
    planned = planned_file(store, number)
    return follow(planned, text, _source(store, planned, text)) if planned else None


def planned_file(store: ProjectStore, number: int) -> PlannedScenes | None:
    """Returns a chapter's file of planned scenes: the staged one while it is in progress, else the
    committed one. One that does not fit its format is as none, and `verify` names it.

    StudioError if the disk does not give it: the scenes are not other ones for that.
    """
    staged = store.staging_of(number)
    return none_if_damaged(lambda: staged.planned_scenes() or store.planned_scenes(number))


def _source(store: ProjectStore, planned: PlannedScenes, text: Chapter) -> Chapter | None:
    """Returns the text in which the file's passages were read, if it is still known."""
    if planned.source_sha256 == text.sha256:
        return text
    history = store.history
    if not history.has(planned.source_sha256):
        return None
    data = none_if_damaged(lambda: history.blob(planned.source_sha256))
    return Chapter(data.decode(errors="replace")) if data is not None else None
