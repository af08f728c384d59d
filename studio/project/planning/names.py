"""Resolves names as a writer types them to the ids of people, storylines and promises in files."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping

from studio.story.form.slugs import slug_fault
from studio.text.language.names import Bearer, NameIndex
from studio.text.language.romanisation import letters, romanisations, romanised

_MOST = 40


def id_of(
    name: str, names_by_id: Mapping[str, Iterable[str]], *, are_people: bool = False
) -> str | None:
    """Returns the id of the person or thing with that name, alias or id; of people also by a part
    of the name that only one of them has, with a title, or in Latin letters."""
    wanted = _plain(name)
    listed = {slug: tuple(names) for slug, names in names_by_id.items()}
    exact = [slug for slug, names in listed.items() if wanted in map(_plain, (slug, *names))]
    if exact or not wanted:
        return exact[0] if exact else None
    finder = NameIndex(Bearer(slug, names, is_person=are_people) for slug, names in listed.items())
    return finder.called(name) or _by_letters(name, listed)


def _by_letters(name: str, names_by_id: Mapping[str, tuple[str, ...]]) -> str | None:
    """Returns the id of the one whose name in Latin letters this is: `lin-wan` for 林晚."""
    wanted = letters(name) if name.isascii() else ""
    foreign = {slug: names for slug, names in names_by_id.items() if not "".join(names).isascii()}
    if not wanted or not foreign:
        return None
    slugs = [
        slug for slug, names in foreign.items() if any(wanted in romanisations(n) for n in names)
    ]
    return slugs[0] if len(slugs) == 1 else None


def new_id(name: str, kind: str, taken: Collection[str]) -> str:
    """Returns an unused id: the name in Latin letters, else such as `person-3`. A name in Hangul or
    Chinese characters is romanised; who sounds the same gets `-2`."""
    stem = romanised(name, is_person=kind == "person")[:_MOST].strip("-")
    if len(stem) == _MOST and "-" in stem:
        stem = stem.rpartition("-")[0] if not name.isascii() else stem
    if stem and stem not in taken and slug_fault(stem) is None:
        return stem
    stem = stem if stem and slug_fault(stem) is None else kind
    number = 2 if stem != kind else 1
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
