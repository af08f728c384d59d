"""Joins the ids of the story's state to the bible: who is 林晚 in one and `lin-wan` in the other.

A summarizer makes an id for whoever is new; the entry may be made later, or under another id. They
meet by id, by the name the state keeps for the id, or by the name in Latin letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studio.book.bible import Bible
from studio.project.planning.names import KnownNames, name_in
from studio.story.state import StateOp, Tree

_KINDS: Mapping[str, tuple[str, ...]] = {
    "characters": ("character",),
    "items": ("item", "lore"),
    "locations": ("place", "lore"),
    "factions": ("faction", "lore"),
}
"""Maps the categories of the state that hold ids to the kinds of entries that may be meant."""
WITH_IDS = tuple(_KINDS)
"""The categories of the state whose second part is an id."""


class EntryIds:
    """Which entry each category and id of the state means; an id of an entry means that entry."""

    def __init__(self, bible: Bible) -> None:
        self._bible = bible
        self._known: dict[str, KnownNames] = {}

    def is_entry(self, id_: str) -> bool:
        """Whether an id is the slug of an entry."""
        return id_ in self._bible.entries

    def slug_of(self, category: str, id_: str, name: str = "") -> str:
        """Returns the slug of the entry that an id means; the id itself where none is meant."""
        if category not in _KINDS or id_ in self._bible.entries:
            return id_
        known = self._names(category)
        by_name = known.id_of(name) if name else None
        if by_name and known.is_shared(name):
            by_name = None
        return by_name or known.id_of(id_) or id_

    def of_entry(self, op: StateOp) -> StateOp:
        """Returns a change under the slug of the entry it is about."""
        category, _, rest = op.path.partition(".")
        id_ = rest.partition(".")[0]
        return move(op, {(category, id_): self.slug_of(category, id_)})

    def moves(self, tree: Tree) -> dict[tuple[str, str], str]:
        """Maps category and id of the state to the slug of another name that is meant."""
        return {
            (category, id_): slug
            for category in _KINDS
            for id_, value in tree.get(category, {}).items()
            if (slug := self.slug_of(category, id_, name_in(value))) != id_
        }

    def join(self, tree: Tree) -> Tree:
        """Returns a state in which everything said of one entry stands under its slug."""
        moves = self.moves(tree)
        if not moves:
            return tree
        fresh = {category: dict(values) for category, values in tree.items()}
        for (category, id_), slug in moves.items():
            values = fresh[category]
            values[slug] = _together(values.pop(id_), values.get(slug))
        return fresh

    def _names(self, category: str) -> KnownNames:
        if category not in self._known:
            entries = self._bible.entries.items()
            own = {slug: e.names for slug, e in entries if e.kind in _KINDS[category]}
            self._known[category] = KnownNames(own, are_people=category == "characters")
        return self._known[category]


def move(op: StateOp, moves: Mapping[tuple[str, str], str]) -> StateOp:
    """Returns a change under the slug of the entry it is about."""
    category, _, rest = op.path.partition(".")
    id_, dot, field = rest.partition(".")
    slug = moves.get((category, id_))
    return op if slug is None else op.copy_with(path=f"{category}.{slug}{dot}{field}")


def names_in(tree: Tree) -> dict[tuple[str, str], str]:
    """Maps category and id to the name that the state keeps for the id."""
    return {
        (category, id_): name
        for category in _KINDS
        for id_, value in tree.get(category, {}).items()
        if (name := name_in(value))
    }


def _together(older: Any, newer: Any) -> Any:
    if isinstance(older, dict) and isinstance(newer, dict):
        return {**older, **newer}
    return older if newer is None else newer
