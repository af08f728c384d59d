"""imports/: imported chapters and notes that wait to become the author's drafts and entries of the
bible.

`imports/chapter-007.md` becomes the text of chapter 7 when work on that chapter begins, and is
deleted once the text is in the book. No prompt, metric or list of the bible uses the notes of
imports/entries/; `studio bible suggest` offers them. Until then all of them may be changed or
deleted by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.author.replace import take_away
from studio.project.files import front_matter, load
from studio.project.layout import Layout
from studio.project.planning.names import new_id
from studio.project.store import ProjectStore
from studio.story.bible_entry import EntryKind, WaitingMeta
from studio.story.chapter import Chapter
from studio.story.form.ids import LONGEST_NAME
from studio.story.form.slugs import chapter_number, slug_fault
from studio.story.form.validation import check


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


# Notes


@dataclass(frozen=True, slots=True)
class WaitingEntry:
    """A note that waits to become an entry."""

    path: str
    meta: WaitingMeta
    text: str
    """The text of the note, without its heading, which is the name."""


def waiting_entries(store: ProjectStore) -> list[WaitingEntry]:
    """Returns all waiting entries in the order of their files. Raises StudioError (exit 5) that
    names an unreadable one."""
    return [_entry(store, store.layout.waiting_entry(stem)) for stem in _stems(store)]


def let_entry_wait(
    store: ProjectStore,
    kind: EntryKind,
    name: str,
    aliases: Sequence[str],
    text: str,
    source: str,
) -> str:
    """Stores a note as a waiting entry; returns its path. The caller holds the lock."""
    taken = _stems(store)
    path = store.layout.waiting_entry(
        new_id(name, "person" if kind == "character" else kind, taken)
    )
    meta = {"name": name[:LONGEST_NAME], "kind": kind, "source": source}
    names = [alias for alias in aliases if len(alias) <= LONGEST_NAME]
    fields = {**meta, **({"aliases": names} if names else {})}
    store.root.write(path, front_matter.join(fields, text).encode(), expected=None)
    return path


def drop_waiting(store: ProjectStore, entry: WaitingEntry) -> None:
    """Removes a waiting entry; history keeps it. The caller holds the lock."""
    take_away(store, entry.path)
    for folder in (places.WAITING_ENTRIES, places.IMPORTS):
        store.root.remove_folder(folder)


def _stems(store: ProjectStore) -> list[str]:
    names = store.root.names(places.WAITING_ENTRIES)
    stems = [name.removesuffix(".md") for name in names if name.endswith(".md")]
    return [stem for stem in stems if slug_fault(stem) is None]


def _entry(store: ProjectStore, path: str) -> WaitingEntry:
    fields, body = front_matter.split_front_matter(load.text(store.root, path) or "", path)
    return WaitingEntry(path, check(WaitingMeta, fields, path), body.strip())
