"""Resolves names as a writer types them to the ids of people, storylines and promises in files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping

from studio.story.form.slugs import slug_fault

_NO_SLUG = re.compile(r"[^a-z0-9]+")
_MOST = 40


def id_of(name: str, names_by_id: Mapping[str, Iterable[str]]) -> str | None:
    """Returns the id of the person or thing with that name, alias or id."""
    wanted = _plain(name)
    exact = [slug for slug, names in names_by_id.items() if wanted in map(_plain, (slug, *names))]
    return exact[0] if exact else None


def new_id(name: str, kind: str, taken: Collection[str]) -> str:
    """Returns an unused id: the name in Latin letters if it has some, else such as `person-3`."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = _NO_SLUG.sub("-", letters).strip("-")[:_MOST].strip("-")
    if stem and stem not in taken and slug_fault(stem) is None:
        return stem
    stem = stem if stem and slug_fault(stem) is None else kind
    number = 2 if stem != kind else 1
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
