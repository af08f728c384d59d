"""The bible: every person, place, thing, group and piece of lore as an entry (BOOK 2).

An entry is a Markdown file, accompanied for a person by the L2 contract. Its slug is its file name;
where two folders contain the same one, the later slug gets its folder as a prefix.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.files.front_matter import entry_parts
from studio.project.store import Character, ProjectStore
from studio.story.bible_entry import EntryKind, EntryMeta, EntryText, entry_text, title_in
from studio.story.novel import CharacterContract

_KINDS: Mapping[str, EntryKind] = {
    "places": "place",
    "items": "item",
    "factions": "faction",
    "lore": "lore",
}
"""Maps each folder of world/ to the kind of its entries; files outside a folder are lore."""


@dataclass(frozen=True)
class Entry:
    """One entry of the bible."""

    slug: str
    kind: EntryKind
    path: str
    """The path of the entry's Markdown file, even where only the contract beside it exists."""
    name: str
    aliases: tuple[str, ...]
    meta: EntryMeta
    text: EntryText
    contract: CharacterContract | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name and all aliases, each once; cached because every call asks for them."""
        return tuple(dict.fromkeys(filter(str.strip, (self.name, *self.aliases))))


class Bible:
    """All entries of a novel by slug, people first."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self.entries: dict[str, Entry] = {}
        for entry in entries:
            self.entries.setdefault(entry.slug, entry)

    @cached_property
    def people(self) -> dict[str, Entry]:
        """The entries of people."""
        return {slug: e for slug, e in self.entries.items() if e.kind == "character"}

    def entry(self, word: str) -> Entry:
        """Returns the entry with this slug or name; StudioError (exit 2) where there is none."""
        if word in self.entries:
            return self.entries[word]
        named = [entry for entry in self.entries.values() if word in entry.names]
        if len(named) == 1:
            return named[0]
        raise usage(
            said("More than one entry is called {quote}.", quote=repr(word))
            if named
            else said("No entry is called {quote}.", quote=repr(word)),
            said("`studio bible list` lists them."),
        )


def read_bible(store: ProjectStore) -> Bible:
    """Reads all entries from disk. StudioError (exit 5) names a file that cannot be read."""
    return Bible(_entries(store, store.characters()))


def _entries(store: ProjectStore, characters: Mapping[str, Character]) -> Iterator[Entry]:
    slugs: set[str] = set()
    for slug, character in characters.items():
        slugs.add(slug)
        yield _person(slug, store.layout.profile(slug), character)
    for path, text in store.world_docs().items():
        inner = path.removeprefix(f"{places.WORLD}/").removesuffix(".md")
        name = inner.rpartition("/")[2]
        slug = name if name not in slugs else inner
        slugs.add(slug)
        yield _of_the_world(slug, path, text, _KINDS.get(inner.partition("/")[0], "lore"))


def _person(slug: str, path: str, character: Character) -> Entry:
    meta, body = entry_parts(character.profile, path)
    contract = character.contract
    name = contract.name if contract else meta.name or title_in(body) or slug
    aliases = contract.aliases if contract and contract.aliases else meta.aliases
    return Entry(
        slug=slug,
        kind="character",
        path=path,
        name=name,
        aliases=aliases,
        meta=meta,
        text=entry_text(body),
        contract=contract,
    )


@lru_cache(maxsize=2048)
def _of_the_world(slug: str, path: str, text: str, kind: EntryKind) -> Entry:
    meta, body = entry_parts(text, path)
    plain = slug.rpartition("/")[2].replace("-", " ").replace("_", " ")
    name = meta.name or title_in(body) or plain
    return Entry(slug, kind, path, name, meta.aliases, meta, entry_text(body))
