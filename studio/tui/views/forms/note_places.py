"""Which note of the outline, or which plan, a place in a file belongs to. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

import orjson

from studio.project import layout as places

_CONTRACT = re.compile(r"/chapter-contracts/chapter-0*(\d+)\.json$")
_NUMBER = re.compile(r"(\d+)")
_LISTS = {
    places.STORYLINES: ("Lines", "storylines"),
    places.FORESHADOWING: ("Promises", "promises"),
    places.SECRETS: ("Secrets", "secrets"),
}
"""Files that hold a list of notes: the row of the outline, and the list's key."""


class NotePlace(NamedTuple):
    """A note, by the name of its row in the outline, and its id there."""

    name: str
    slug: str = ""


def note_place(path: str, field: str, data: bytes) -> NotePlace | None:
    """The note that a place in a file is part of; None for a file that has no form.

    `field` is the place in a JSON file in words, as `promises 2, description`.
    """
    if path == places.BRIEF:
        return NotePlace("Brief")
    if path == places.WORLD_RULES:
        return NotePlace("Rules")
    folder, _, name = path.rpartition("/")
    if folder == places.CHARACTERS:
        return NotePlace("People", name.rpartition(".")[0])
    if path.startswith(f"{places.WORLD}/") and path.endswith(".md"):
        return NotePlace("Places and things", path)
    if path in _LISTS and (slug := _id_in(data, _LISTS[path][1], field)):
        return NotePlace(_LISTS[path][0], slug)
    return None


def planned_chapter(path: str) -> int | None:
    """The chapter whose plan a file is; None for any other."""
    match = _CONTRACT.search(path)
    return int(match[1]) if match else None


def _id_in(data: bytes, key: str, field: str) -> str:
    number = _NUMBER.search(field)
    try:
        items = orjson.loads(data)[key]
        return str(items[int(number[1]) - 1]["id"]) if number else ""
    except (orjson.JSONDecodeError, KeyError, IndexError, TypeError):
        return ""
