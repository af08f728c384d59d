"""Finds which entries a text names, and where, in every form of their names (BOOK 2, SERIAL 4)."""

from __future__ import annotations

from collections.abc import Iterable

from studio.book.entries import Entry
from studio.text.language.names import Bearer, Mentioned, NameIndex

__all__ = ["Mentioned", "NameFinder", "bearer_of"]


def bearer_of(entry: Entry) -> Bearer:
    """Returns the names of an entry, and what does not mean it."""
    return Bearer(entry.slug, entry.names, entry.meta.exclude, entry.kind == "character")


class NameFinder(NameIndex):
    """Finds every name of many entries in one pass over a text."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        super().__init__(map(bearer_of, entries))
