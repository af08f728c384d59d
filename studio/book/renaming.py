"""Changes a name in plans, bible, summaries and memories at once, and optionally in the prose:
every form by which a text has it (SERIAL 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

from studio.book.bible import Bible, BibleEntry, bearer_of, read_bible
from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.search.book_texts import AREAS, Area
from studio.project.search.hits import Hit
from studio.project.search.replacement import (
    Replacement,
    ReplaceOrder,
    places_of,
    preview,
    replace_words,
    spot_of,
)
from studio.project.store import ProjectStore
from studio.text.language.names import NameChange


@dataclass(frozen=True)
class Renaming:
    """A new name for an entry as an order, and every place where a form of the old one is."""

    entry: BibleEntry
    old: str
    order: ReplaceOrder
    hits: tuple[Hit, ...]

    def forms(self) -> dict[tuple[str, str], int]:
        """Counts the places of each form and what it becomes, the most frequent first."""
        pairs = (self.order.change(h.at.text, h.start, h.end, endings=False) for h in self.hits)
        return dict(Counter((" ".join(old.split()), new) for old, new in pairs).most_common())

    def without(self, numbers: Collection[int]) -> Renaming:
        """Returns the renaming with these places left as they are, counted from 1."""
        leave = frozenset(spot_of(self.hits[number - 1]) for number in numbers)
        return replace(self, order=replace(self.order, leave=leave))

    def preview(self, store: ProjectStore) -> Replacement:
        """Returns what would change; writes nothing."""
        return preview(store, self.order)

    def carry_out(self, store: ProjectStore) -> Replacement:
        """Changes everything in one transaction, with history."""
        return replace_words(store, self.order)


def plan_renaming(store: ProjectStore, old: str, new: str, *, prose: bool = False) -> Renaming:
    """Plans another name or alias for an entry; its slug stays.

    `old` is a name, an alias, or the slug of the entry whose name changes. Of a person every form
    of the name changes: the given name alone, the name with a title, pet forms; Korean particles
    get the form that the new name requires. Look-alikes that the entry excludes and the names of
    others stay. StudioError (exit 2) where nobody has the name `old` or somebody else has the name
    `new`, and for whatever a replacement refuses.
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
    areas: tuple[Area, ...] = AREAS if prose else ("plans", "bible")
    order = replace(name_order(bible, entry, words, new.strip()), areas=areas)
    return Renaming(entry, words, order, places_of(store, order))


def order_for(store: ProjectStore, order: ReplaceOrder) -> ReplaceOrder:
    """Returns an order whose words are the name or an alias of one entry as one that changes every
    form of the name; any other order as it is."""
    bible = read_bible(store)
    named = [entry for entry in bible.entries.values() if order.old.strip() in entry.names]
    if len(named) != 1 or not order.new.strip():
        return order
    name = name_order(bible, named[0], order.old.strip(), order.new.strip())
    return replace(name, areas=order.areas, leave=order.leave)


def named_order(store: ProjectStore, order: ReplaceOrder) -> ReplaceOrder:
    """Returns an order whose words are a name of an entry as one that changes every form of it.
    StudioError (exit 2) where nobody or more than one has that name."""
    old, new, bible = order.old.strip(), order.new.strip(), read_bible(store)
    if not new:
        raise usage(said("Say the new name."))
    name = name_order(bible, bible.entry(old), old, new)
    return replace(name, areas=order.areas, leave=order.leave)


def name_order(bible: Bible, entry: BibleEntry, old: str, new: str) -> ReplaceOrder:
    """Returns the order that changes a name or an alias of an entry in all of its forms."""
    return ReplaceOrder(
        old,
        new,
        whole=True,
        particles=True,
        name=NameChange(map(bearer_of, bible.entries.values()), entry.slug, old, new),
        own_files=frozenset({entry.path, f"{places.CHARACTERS}/{entry.slug}.json"}),
    )
