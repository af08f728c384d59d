"""The text that a chapter began as: the baseline for measuring how much a later text grew."""

from __future__ import annotations

from studio.errors import StudioError
from studio.pipeline.chapter.view import ChapterView
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of


def draft_of(view: ChapterView) -> str:
    """Returns the text from which refining and surgery made the current one; "" if they changed
    nothing."""
    return _text_in_history(view.store, view.lineage.origin)


def first_staged(store: ProjectStore, chapter: int, text: str) -> str:
    """Returns the first text staged since the chapter's last version that is not `text`; "" if
    there was none."""
    staged_path, committed_path = (
        store.layout.staged_chapter(chapter),
        store.layout.chapter(chapter),
    )
    first = None
    for version in store.history.log():
        if version.path == committed_path and version.sha != sha256_of(text):
            first = None
        elif version.path == staged_path:
            first = first or version.sha
    return _text_in_history(store, first)


def _text_in_history(store: ProjectStore, sha256: str | None) -> str:
    """Returns a version from history; "" if history no longer holds it, which must not stop the
    measuring."""
    try:
        return store.history.blob(sha256).decode() if sha256 else ""
    except (StudioError, UnicodeDecodeError):
        return ""
