"""Resolves names as a writer types them to the ids of people, storylines and promises in files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache

from studio.errors import StudioError
from studio.project.store import ProjectStore
from studio.story.form.slugs import slug_fault
from studio.text.language.name_grammar import behind_epithet
from studio.text.language.names import Bearer, NameIndex
from studio.text.language.romanisation import letters, romanisations, romanise

_MOST = 40
_BEHIND = re.compile(r"[^()（）]+[(（]([^()（）]+)[)）]")
"""A name and what stands in brackets behind it."""
_AND = re.compile(r"\s+(?:and|&)\s+|(?:와|과|하고|이?랑)\s+|\s+및\s+|\s*[和与與及跟]\s*")


def id_of(
    name: str, names_by_id: Mapping[str, Iterable[str]], *, are_people: bool = False
) -> str | None:
    """Returns the id of the person or thing with that name, alias or id; of people also by a part
    of the name that only one of them has, with a title, or in Latin letters."""
    return KnownNames(names_by_id, are_people=are_people).id_of(name)


class KnownNames:
    """The names of people or things by id, prepared for many questions."""

    def __init__(self, names_by_id: Mapping[str, Iterable[str]], *, are_people: bool) -> None:
        self._names = {id_: tuple(names) for id_, names in names_by_id.items()}
        self._are_people = are_people

    def id_of(self, name: str) -> str | None:
        """Returns the id that a name means, in any of its forms; None where it means nobody."""
        wanted = plain_name(name)
        exact = self._exact.get(wanted)
        if exact is not None or not wanted or not self._names:
            return exact
        called = self._index.whom_it_calls(name)
        called = called or self._by_letters(name) or self._in_brackets(name)
        return called or self._behind_epithet(name)

    def is_shared(self, name: str) -> bool:
        """Whether several have this very name, so that it does not say who is meant."""
        wanted = plain_name(name)
        return sum(wanted in map(plain_name, names) for names in self._names.values()) > 1

    @cached_property
    def _exact(self) -> dict[str, str]:
        """The ids by their names, aliases and themselves; of two with one name the first."""
        ids: dict[str, str] = {}
        for id_, names in self._names.items():
            for name in (id_, *names):
                ids.setdefault(plain_name(name), id_)
        return ids

    @cached_property
    def _index(self) -> NameIndex:
        bearers = (Bearer(i, n, is_person=self._are_people) for i, n in self._names.items())
        return NameIndex(bearers)

    def _in_brackets(self, name: str) -> str | None:
        """Returns the id of a name that stands as prompts have it, with its id behind it:
        `Nell Arkwright (nell)`."""
        behind = _BEHIND.fullmatch(name.strip())
        return self._exact.get(plain_name(behind[1])) if behind is not None else None

    def _behind_epithet(self, name: str) -> str | None:
        """Returns the id of the one person with the name behind what somebody is called besides:
        老邻居邱伯."""
        bare = behind_epithet(name) if self._are_people else ""
        return self._exact.get(plain_name(bare)) if bare and not self.is_shared(bare) else None

    def _by_letters(self, name: str) -> str | None:
        """Returns the id of the one whose name in Latin letters this is: `lin-wan` for 林晚."""
        wanted = letters(name) if name.isascii() else ""
        if not wanted:
            return None
        ids = self._ids_by_letters.get(wanted, ())
        return ids[0] if len(ids) == 1 else None

    @cached_property
    def _ids_by_letters(self) -> dict[str, list[str]]:
        ids: dict[str, list[str]] = {}
        for id_, names in self._names.items():
            for written in frozenset[str]().union(*map(romanisations, names)):
                ids.setdefault(written, []).append(id_)
        return ids


def all_named(words: str, id_of: Callable[[str], str | None]) -> tuple[str, ...]:
    """Returns the ids of everybody whom words name: of one, or of several with `and` between them
    whom `id_of` knows all; of nobody otherwise."""
    if (one := id_of(words)) is not None:
        return (one,)
    several = [id_of(part) for part in _AND.split(words.strip())]
    known = [id_ for id_ in several if id_ is not None]
    return tuple(dict.fromkeys(known)) if len(known) == len(several) > 1 else ()


def new_id(name: str, kind: str, taken: Collection[str]) -> str:
    """Returns an unused id: the name in Latin letters, else such as `person-3`. A name in Hangul or
    Chinese characters is romanised; who sounds the same gets `-2`."""
    stem = romanise(name, is_person=kind == "person")[:_MOST].strip("-")
    if len(stem) == _MOST and "-" in stem:
        stem = stem.rpartition("-")[0] if not name.isascii() else stem
    if stem and stem not in taken and slug_fault(stem) is None:
        return stem
    stem = stem if stem and slug_fault(stem) is None else kind
    number = 2 if stem != kind else 1
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"


_CATEGORIES: Mapping[str, str] = {
    "person": "characters",
    "place": "locations",
    "item": "items",
    "faction": "factions",
}
"""Maps what an entry is to the category of the state that may know it already."""


def id_of_entry(
    store: ProjectStore, names: Sequence[str], kind: str, taken: Collection[str]
) -> str:
    """Returns the id of an entry that is made now: the one under which the story's state knows
    somebody or something of these names already, else a new one made of the first name."""
    category = _CATEGORIES.get(kind, "")
    values = store.state().tree[category] if category else {}
    known = KnownNames({"": names}, are_people=kind == "person")
    ids = [
        id_
        for id_, value in values.items()
        if id_ not in taken and slug_fault(id_) is None
        if any(known.id_of(words) is not None for words in (name_in(value), id_) if words)
    ]
    return ids[0] if len(ids) == 1 else new_id(names[0], kind, taken)


def name_for_id(store: ProjectStore, kind: str, id_: str, name: str = "") -> str:
    """Returns the name of somebody or something whose entry, or whose writer, has only the id for
    one: the name that the story's state keeps for it, else `name` as it is, else the id."""
    words = name or id_
    if words not in (id_, id_.replace("-", " "), id_.replace("_", " ")):
        return words
    return name_in(_in_state(store, kind).get(id_)) or words


def names_in_state(store: ProjectStore, kind: str) -> dict[str, str]:
    """Returns the names that the story's state keeps for people or places, by id."""
    values = _in_state(store, kind)
    return {id_: name for id_, value in values.items() if (name := name_in(value))}


def _in_state(store: ProjectStore, kind: str) -> Mapping[str, object]:
    """Returns what the story's state keeps of people, places and the like, by id; nothing of a
    damaged one, which is said by who needs it."""
    with suppress(StudioError):
        return store.state().tree[_CATEGORIES[kind]] if kind in _CATEGORIES else {}
    return {}


def name_in(value: object) -> str:
    """Returns the name that the state keeps for an id, or an empty text."""
    name = value.get("name") if isinstance(value, dict) else None
    return name if isinstance(name, str) else ""


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """Returns a name as two that are the same are written the same."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
