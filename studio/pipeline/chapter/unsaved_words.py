"""Words of hers that an editor kept and that are not in the novel: which chapters have some, and
how they are set aside as a version when she goes on without them."""

from __future__ import annotations

from collections.abc import Iterator

from studio.config.schema import NovelSettings
from studio.messages import Said, said
from studio.pipeline.chapter.own_text import scenes_so_far
from studio.project.commit.writing import hold_for_writing
from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.project.planning.imports import waiting_draft
from studio.project.store import ProjectStore
from studio.project.unsaved import LeftText, chapters_left, forget_left, unsaved_of


def chapters_with_unsaved(store: ProjectStore, novel: NovelSettings) -> tuple[int, ...]:
    """Returns the chapters of which words were typed that are not in the novel.

    What another window may still have open is not left. Raises StudioError (exit 1) if the disk
    gives no answer.
    """
    return tuple(n for n in chapters_left(store) if unsaved_texts(store, novel, n))


def unsaved_texts(store: ProjectStore, novel: NovelSettings, chapter: int) -> tuple[LeftText, ...]:
    """Returns what was typed of a chapter and is no text of it, newest first."""
    left = unsaved_of(store, chapter).left_texts()
    texts = [one for one in left if one.text.strip() and not one.elsewhere]
    there = set(_texts_of(store, novel, chapter)) if texts else set()
    return tuple(one for one in texts if one.text not in there)


def _texts_of(store: ProjectStore, novel: NovelSettings, chapter: int) -> Iterator[str]:
    """Yields the texts that the chapter has now."""
    texts = (
        store.staging_of(chapter).text(),
        scenes_so_far(store, chapter, novel.language, novel.form),
        store.chapter(chapter),
    )
    yield from (text.text for text in texts if text is not None)
    if (imported := waiting_draft(store.layout, chapter)) is not None:
        yield imported.text


def set_unsaved_aside(store: ProjectStore, novel: NovelSettings, chapter: int) -> None:
    """Keeps what was typed of a chapter and not saved among its versions, since she goes on without
    it; the editor then no longer offers it.

    StudioError: 3 if another process writes the novel.
    """
    with hold_for_writing(store):
        for one in reversed(unsaved_texts(store, novel, chapter)):
            Variations(store.layout).keep(chapter, None, one.text, Reason.NOT_SAVED)
            forget_left(store, one)


def said_of_unsaved(chapter: int) -> Said:
    """Returns what is said of a chapter with words that were not saved."""
    return said(
        "What was typed into chapter {chapter} and not saved is not part of it; it is kept, and"
        " the editor of the app opens with it.",
        chapter=chapter,
    )
