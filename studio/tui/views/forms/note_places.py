"""Finds the note of the outline, or the plan, that a position in a file belongs to. Pure
functions."""

from __future__ import annotations

import re
from typing import NamedTuple

from studio.foreign_json import JsonError, read_json
from studio.project import layout as places

_CONTRACT = re.compile(r"/chapter-contracts/chapter-0*(\d+)\.json$")
_NUMBER = re.compile(r"(\d+)")
_LISTS = {
    places.STORYLINES: ("Storylines", "storylines"),
    places.FORESHADOWING: ("Promises", "promises"),
    places.SECRETS: ("Secrets", "secrets"),
}
"""The files that hold a list of notes, with the row of the outline and the key of the list."""


class NotePlace(NamedTuple):
    """A note, identified by the name of its row in the outline and by its id in that row."""

    name: str
    slug: str = ""


def note_place(path: str, field: str, data: bytes) -> NotePlace | None:
    """Returns the note that contains a position in a file; None for a file that has no form.

    `field` is the position in a JSON file in words, such as `promises 2, description`.
    """
    if path == places.BRIEF:
        return NotePlace("Brief")
    if path == places.STYLE_PROFILE:
        return NotePlace("Style")
    if path in (places.WORLD_RULES, places.DECIDED):
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
    """Returns the number of the chapter whose plan is in this file; None for any other file."""
    match = _CONTRACT.search(path)
    return int(match[1]) if match else None


def _id_in(data: bytes, key: str, field: str) -> str:
    number = _NUMBER.search(field)
    try:
        items = read_json(data, dict)[key]
        return str(items[int(number[1]) - 1]["id"]) if number else ""
    except (JsonError, KeyError, IndexError, TypeError):
        return ""
