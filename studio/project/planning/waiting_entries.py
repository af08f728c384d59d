"""imports/entries/: imported notes that wait to become entries of the bible.

No prompt, metric or list of the bible uses them; `studio bible suggest` offers them. Until then
they may be changed or deleted by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.project import layout as places
from studio.project.author.replace import take_away
from studio.project.files import front_matter, load
from studio.project.planning.names import new_id
from studio.project.store import ProjectStore
from studio.story.bible_entry import EntryKind, WaitingMeta
from studio.story.form.ids import LONGEST_NAME
from studio.story.form.slugs import slug_fault
from studio.story.form.validation import check


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
