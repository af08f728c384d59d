"""The bible: every person, place, thing, group and piece of lore as an entry, where texts name it,
and which entries belong to a piece of work (BOOK 2, SERIAL 4).

An entry is a Markdown file, accompanied for a person by the L2 contract. Its slug is its file name;
where two folders contain the same one, the later slug gets its folder as a prefix.

Of a piece of work, the plan's own people and places come first, then what the words around the work
name, then entries that are always included, then one hop of links from all of these; nothing
further.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from studio.errors import usage
from studio.messages import said
from studio.project import layout as places
from studio.project.files.front_matter import entry_parts
from studio.project.planning.names import id_of, name_for_id
from studio.project.store import Character, ProjectStore
from studio.story.bible_entry import EntryKind, EntryMeta, EntryText, entry_text, title_in
from studio.story.chapter import sha256_of
from studio.story.contract import ChapterContract, SceneSpec
from studio.story.form.slugs import name_of_id
from studio.story.novel import CharacterContract
from studio.text.language.names import Bearer, Mentioned, NameIndex

__all__ = ["Mentioned", "NameFinder", "bearer_of"]


_KINDS: Mapping[str, EntryKind] = {
    "places": "place",
    "items": "item",
    "factions": "faction",
    "lore": "lore",
}
"""Maps each folder of world/ to the kind of its entries; files outside a folder are lore."""


@dataclass(frozen=True)
class BibleEntry:
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

    def __init__(self, entries: Iterator[BibleEntry]) -> None:
        self.entries: dict[str, BibleEntry] = {}
        for entry in entries:
            self.entries.setdefault(entry.slug, entry)

    @cached_property
    def people(self) -> dict[str, BibleEntry]:
        """The entries of people."""
        return {slug: e for slug, e in self.entries.items() if e.kind == "character"}

    @property
    def names_of_people(self) -> tuple[str, ...]:
        """Every name and alias of every active character, which the facts guard watches."""
        named = [entry for entry in self.people.values() if entry.name != entry.slug]
        return tuple(dict.fromkeys(name for entry in named for name in entry.names))

    def entry(self, word: str) -> BibleEntry:
        """Returns the entry with this slug or name, of people in any form that only one of them
        has (윤재, 강 실장, 老张); StudioError (exit 2) where there is none."""
        if word in self.entries:
            return self.entries[word]
        named = [entry for entry in self.entries.values() if word in entry.names]
        if len(named) == 1:
            return named[0]
        people = {slug: one.names for slug, one in self.people.items()}
        if not named and (slug := id_of(word, people, are_people=True)) is not None:
            return self.entries[slug]
        raise usage(
            said("More than one entry is called {quote}.", quote=repr(word))
            if named
            else said("No entry is called {quote}.", quote=repr(word)),
            said("`studio bible list` lists them."),
        )


def read_bible(store: ProjectStore) -> Bible:
    """Reads all entries from disk. StudioError (exit 5) names a file that cannot be read."""
    return Bible(_entries(store, store.characters()))


def _entries(store: ProjectStore, characters: Mapping[str, Character]) -> Iterator[BibleEntry]:
    slugs: set[str] = set()
    for slug, character in characters.items():
        slugs.add(slug)
        entry = _person(slug, store.layout.profile(slug), character)
        called = name_for_id(store, "person", slug, entry.name)
        yield entry if called == entry.name else replace(entry, name=called)
    for path, text in store.world_docs().items():
        inner = path.removeprefix(f"{places.WORLD}/").removesuffix(".md")
        name = inner.rpartition("/")[2]
        slug = name if name not in slugs else inner
        slugs.add(slug)
        entry = _of_the_world(slug, path, text, _KINDS.get(inner.partition("/")[0], "lore"))
        called = name_for_id(store, entry.kind, slug, entry.name)
        yield entry if called == entry.name else replace(entry, name=called)


def _person(slug: str, path: str, character: Character) -> BibleEntry:
    meta, body = entry_parts(character.profile, path)
    contract = character.contract
    name = contract.name if contract else meta.name or title_in(body) or slug
    aliases = contract.aliases if contract and contract.aliases else meta.aliases
    return BibleEntry(
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
def _of_the_world(slug: str, path: str, text: str, kind: EntryKind) -> BibleEntry:
    meta, body = entry_parts(text, path)
    plain = name_of_id(slug.rpartition("/")[2])
    name = meta.name or title_in(body) or plain
    return BibleEntry(slug, kind, path, name, meta.aliases, meta, entry_text(body))


def bearer_of(entry: BibleEntry) -> Bearer:
    """Returns the names of an entry, and what does not mean it."""
    return Bearer(entry.slug, entry.names, entry.meta.exclude, entry.kind == "character")


class NameFinder(NameIndex):
    """Finds every name of many entries in one pass over a text."""

    def __init__(self, entries: Iterable[BibleEntry]) -> None:
        super().__init__(map(bearer_of, entries))


BY_PLAN = "contract"
BY_RULE = "always"
_ADDRESS = re.compile(r"^\[(\d+\.\d+)\]", re.MULTILINE)
_LONG_SLUG = re.compile(r"(?<![a-z0-9])[a-z0-9]+(?:[_-][a-z0-9]+)+")


class SelectedEntry(NamedTuple):
    """An entry and the reason for including it."""

    entry: BibleEntry
    why: str
    """`contract`, `mention in notes`, `mention at 1.4`, `always`, `link from mara` or `recent`."""


def select(
    bible: Bible,
    finder: NameFinder,
    contract: ChapterContract,
    words: Mapping[str, str],
    present: Iterable[str] = (),
) -> list[SelectedEntry]:
    """Returns the entries that a call includes, the most useful first.

    `words` maps the kind of each text around the work (direction, notes, tail, chapter, ...) to the
    text; `present` are the people in the scene, who come before all others of the plan.
    """
    chosen: dict[str, SelectedEntry] = {}
    for slug in (*present, *slugs_in_plan(contract)):
        if slug in bible.entries:
            chosen.setdefault(slug, SelectedEntry(bible.entries[slug], BY_PLAN))
    for slug, why in _mentions(finder, contract, words):
        if bible.entries[slug].meta.include in ("mentioned", "always"):
            chosen.setdefault(slug, SelectedEntry(bible.entries[slug], why))
    for slug, entry in bible.entries.items():
        if entry.meta.include == "always":
            chosen.setdefault(slug, SelectedEntry(entry, BY_RULE))
    for source in list(chosen.values()):
        for slug in source.entry.meta.links:
            linked = bible.entries.get(slug)
            if linked is not None and linked.meta.include != "never":
                chosen.setdefault(
                    slug, SelectedEntry(linked, said("link from {name}", name=source.entry.slug))
                )
    return list(chosen.values())


def slugs_in_plan(contract: ChapterContract) -> tuple[str, ...]:
    """Returns every slug in a field of the contract: people, points of view, places."""
    slugs: list[str | None] = [contract.pov, *contract.characters, contract.location]
    for scene in contract.scenes:
        slugs += [scene.pov, *scene.characters, scene.location]
    return tuple(dict.fromkeys(slug for slug in slugs if slug))


def plan_words(contract: ChapterContract) -> str:
    """Returns all sentences of a contract, one per line."""
    lines = [contract.title, *contract.objectives, *contract.must_not, *contract.beats]
    for scene in contract.scenes:
        lines += scene_words(scene)
    return "\n".join(line for line in lines if line)


def scene_words(scene: SceneSpec) -> list[str]:
    """Returns all sentences of a scene's plan."""
    lines = [scene.purpose, scene.peak_moment, scene.transition_from, scene.transition_to]
    return [line for line in (*lines, *scene.sensory_anchors, *scene.dialogue_goals) if line]


def _mentions(
    finder: NameFinder, contract: ChapterContract, words: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yields slug and reason of everything that is named, in order of the first mention. Whom only
    the list of what must not happen names is not described: he is not to be there."""
    plan = plan_words(contract.copy_with(must_not=()))
    for slug in finder.slugs_in(plan):
        yield slug, said("mention in contract")
    slugs = {match[0] for match in _LONG_SLUG.finditer(plan)}
    for slug in sorted(slugs & finder.slugs):
        yield slug, said("mention in contract")
    for name, text in words.items():
        for slug, place in finder.slugs_in(text).items():
            yield slug, _where(name, text, place)


def _where(name: str, text: str, place: int) -> str:
    addresses = [match[1] for match in _ADDRESS.finditer(text, 0, place)]
    return (
        said("mention at {place}", place=addresses[-1])
        if addresses
        else said("mention in {block}", block=name)
    )


_QUOTE = 120
"""The number of characters of a paragraph quoted around a mention."""


@dataclass(frozen=True, slots=True)
class NamedParagraph:
    """A paragraph that names the entry."""

    scene: int
    paragraph: int
    paragraph_sha256: str
    quote: str


@dataclass(frozen=True, slots=True)
class ChapterMentions:
    """The mentions of the entry in one chapter."""

    chapter: int
    count: int
    places: tuple[NamedParagraph, ...]

    def as_json(self) -> dict[str, Any]:
        """Returns the row that `--json` prints."""
        places = [
            {
                "scene": place.scene,
                "paragraph": place.paragraph,
                "paragraph_sha256": place.paragraph_sha256,
                "quote": place.quote,
            }
            for place in self.places
        ]
        return {"chapter": self.chapter, "count": self.count, "places": places}


def mentions_in_book(store: ProjectStore, bible: Bible, entry: BibleEntry) -> list[ChapterMentions]:
    """Returns the chapters that name an entry, in order, ignoring longer names of other entries."""
    finder = NameFinder(bible.entries.values())
    rows = (_in_chapter(store, number, finder, entry.slug) for number in store.chapter_numbers())
    return [row for row in rows if row.count]


def _in_chapter(store: ProjectStore, number: int, finder: NameFinder, slug: str) -> ChapterMentions:
    places, count = [], 0
    for place, many in _places(store, number, finder, slug):
        places.append(place)
        count += many
    return ChapterMentions(number, count, tuple(places))


def _places(
    store: ProjectStore, number: int, finder: NameFinder, slug: str
) -> Iterator[tuple[NamedParagraph, int]]:
    chapter = store.chapter(number)
    for paragraph in chapter.paragraphs if chapter else ():
        own = [m for m in finder.find(paragraph.prose) if m.slug == slug]
        if own:
            quote = quote_around(paragraph.prose, own[0].start)
            sha256 = sha256_of(paragraph.text)
            yield NamedParagraph(paragraph.scene, paragraph.number, sha256, quote), len(own)


def quote_around(text: str, at: int) -> str:
    """Returns the words of a text around an offset, exactly as written."""
    start = max(0, at - _QUOTE // 2)
    if start:
        blank = text.find(" ", start, at)
        start = blank + 1 if blank >= 0 else start
    return text[start : start + _QUOTE].strip()
