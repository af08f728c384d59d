"""The text a chapter began as: what the growth of a later one is measured beside."""

from __future__ import annotations

from studio.errors import StudioError
from studio.pipeline.chapter.view import ChapterView
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of


def draft_of(view: ChapterView) -> str:
    """What refining and surgery made the current text from; "" where they changed nothing."""
    return _text_in_history(view.store, view.lineage.origin)


def first_staged(store: ProjectStore, chapter: int, text: str) -> str:
    """The first text staged since the chapter's last version that is not `text`; "" if none was."""
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
    """A version; "" where history holds it no more: that is no reason to measure nothing."""
    try:
        return store.history.blob(sha256).decode() if sha256 else ""
    except (StudioError, UnicodeDecodeError):
        return ""
