"""imports/: imported chapters that wait to become the author's drafts, one by one.

`imports/chapter-007.md` becomes the text of chapter 7 when work on that chapter begins, and is
deleted once the text is in the book. Until then it may be changed or deleted by hand.
"""

from __future__ import annotations

from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.files import load
from studio.project.layout import Layout
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter
from studio.story.form.slugs import chapter_number


def waiting_chapters(layout: Layout) -> list[int]:
    """Returns the numbers of the waiting chapters in ascending order."""
    stems = (n.removesuffix(".md") for n in layout.root.names(places.IMPORTS) if n.endswith(".md"))
    return sorted(number for stem in stems if (number := chapter_number(stem)) is not None)


def waiting_draft(layout: Layout, chapter: int) -> Chapter | None:
    """Returns the draft that waits for a chapter, byte for byte; None if there is none.

    Raises StudioError: exit 5 if it is not UTF-8, 2 if it holds no prose.
    """
    path = layout.imported_draft(chapter)
    draft = load.chapter(layout.root, path)
    if draft is not None and not draft.paragraphs:
        raise usage(
            said("{name} holds no prose.", name=path),
            said("Delete it, or put the chapter's text into it."),
        )
    return draft


def put_waiting(layout: Layout, chapter: int, text: str) -> str:
    """Stores a text as the waiting draft of a chapter that has none yet; returns its path."""
    path = layout.imported_draft(chapter)
    layout.root.write(path, text.encode(), expected=None)
    return path


def clear_committed(store: ProjectStore) -> list[str]:
    """Deletes the waiting drafts that are in the book by now; returns their paths.

    Only bytes that history holds are deleted: a draft that was changed since it was taken, or was
    never taken, stays.
    """
    layout, root = store.layout, store.root
    last = store.checkpoint().last_completed_chapter
    removed_paths = []
    for chapter in waiting_chapters(layout):
        path = layout.imported_draft(chapter)
        sha = root.sha(path)
        if chapter <= last and sha is not None and store.history.has(sha):
            root.remove(path)
            removed_paths.append(path)
    if removed_paths:
        root.remove_folder(places.IMPORTS)
    return removed_paths
