"""Changes a name in plans, bible, summaries and memories at once, and optionally in the prose."""

from __future__ import annotations

from dataclasses import dataclass

from studio.book.entries import Entry, read_bible
from studio.errors import usage
from studio.messages import said
from studio.project.search.replacement import Replacement, ReplaceOrder, preview, replace_words
from studio.project.store import ProjectStore


@dataclass(frozen=True, slots=True)
class Renamed:
    """The entry that is renamed, and what changes or has changed."""

    entry: Entry
    old: str
    replacement: Replacement


def rename(
    store: ProjectStore, old: str, new: str, *, prose: bool = False, dry_run: bool = False
) -> Renamed:
    """Gives an entry another name or alias; its slug stays. One transaction, with history.

    `old` is a name, an alias, or the slug of the entry whose name changes. Korean particles get the
    form the new name requires. StudioError (exit 2) where nobody has the name `old` or somebody
    else has the name `new`, and for whatever a replacement refuses.
    """
    bible = read_bible(store)
    entry = bible.entry(old)
    words = entry.name if old == entry.slug and old not in entry.names else old
    if not new.strip():
        raise usage(said("Say the new name."))
    others = [e for e in bible.entries.values() if e.slug != entry.slug and new.strip() in e.names]
    if others:
        raise usage(
            said("{name} is already called that.", name=others[0].name),
            said("Choose another name."),
        )
    order = ReplaceOrder(
        words,
        new.strip(),
        ("prose", "plans", "bible") if prose else ("plans", "bible"),
        whole=True,
        particles=True,
        renames=True,
    )
    done = preview(store, order) if dry_run else replace_words(store, order)
    return Renamed(entry, words, done)
