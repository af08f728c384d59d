"""What is true in the story so far, as a writer or planner is told it: by names, in the novel's own
language, without what only code keeps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from studio.pipeline.prompting.plan_words import NameOf
from studio.story.form.document import one_line_a_key
from studio.story.form.slugs import name_of_id
from studio.story.state import LAST_SEEN, PROMISES
from studio.text.language.packs import LanguagePack

_OF_CODE = LAST_SEEN.removeprefix(".")
"""The field that code alone keeps, to know who appeared last."""
_WORLD = "world_state"
HELD_TRUE = frozenset({"claims", "says", "believes", "thinks", "suspects", "denies", "pretends"})
"""With what a key begins whose words are somebody's, and no fact: without it a lie is one."""
_PATH = re.compile(r"(?<![\w.])(?:characters|items|locations|factions)\.([a-z0-9][a-z0-9_-]*)")
"""An id as operations write it, where a model put it into a sentence."""


def state_by_ids(tree: Mapping[str, Any], promise_of: Callable[[str], str]) -> str:
    """Returns the state as who changes it by its ids reads it, its promises with their words;
    empty for nothing."""
    rest = without_what_code_keeps(tree)
    if promises := rest.get(PROMISES):
        rest[PROMISES] = {promise_of(name): value for name, value in promises.items()}
    return one_line_a_key(rest) if rest else ""


def without_what_code_keeps(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parts of the state that say something."""
    rest: dict[str, Any] = {}
    for category, entries in tree.items():
        fields = {slug: _without_code(value) for slug, value in entries.items()}
        if fields := {slug: value for slug, value in fields.items() if value not in ({}, [], None)}:
            rest[category] = fields
    return rest


def state_in_words(
    tree: Mapping[str, Any], name_of: NameOf, pack: LanguagePack, chapter: int | None = None
) -> str:
    """Returns the state in lines, one for each person, thing and place, under a line that says of
    which `chapter` it is; promises stand in another block."""
    rows = []
    for category, entries in without_what_code_keeps(tree).items():
        if category == PROMISES:
            continue
        for slug, value in sorted(entries.items()):
            if category == _WORLD:
                rows.append(_labelled(slug, value, name_of, pack))
                continue
            name = name_of(slug)
            if words := _by_fields(_without_name(value, name), name_of, pack):
                rows.append(pack.headed(name, words))
    if rows and chapter is not None:
        rows.insert(0, pack.headed(pack.label(_AS_IT_IS, chapter=chapter), ""))
    return "\n".join(rows)


_AS_IT_IS = (
    "As chapter {chapter} begins (where people, places and things are told otherwise, this holds)"
)


def _without_name(value: Any, name: str) -> Any:
    """Returns what is left to say of somebody or something behind their name."""
    if not isinstance(value, dict):
        return value
    return {key: inner for key, inner in value.items() if key != "name" or inner != name}


def without_ids(words: str, name_of: NameOf) -> str:
    """Returns words in which somebody stands by name whom a model put there by an id
    (`characters.old-woman`)."""
    return _PATH.sub(lambda id_: name_of(id_[1]), words)


def fields_in_words(values: Mapping[str, Any], name_of: NameOf, pack: LanguagePack) -> str:
    """Returns what the state says of one person, thing or place, a line a field; empty for
    nothing."""
    return _by_fields(_without_code(dict(values)), name_of, pack)


def _without_code(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: inner for key, inner in value.items() if key != _OF_CODE}


def _by_fields(value: Any, name_of: NameOf, pack: LanguagePack) -> str:
    """Returns the fields of somebody or something in lines, in an order that stays the same however
    they came into the state."""
    if not isinstance(value, dict):
        return _in_words(value, name_of, pack)
    return "\n".join(f"- {_labelled(key, inner, name_of, pack)}" for key, inner in _rows(value))


def _in_words(value: Any, name_of: NameOf, pack: LanguagePack) -> str:
    if isinstance(value, bool):
        return pack.label("yes" if value else "no")
    if isinstance(value, dict):
        pairs = (_labelled(key, inner, name_of, pack) for key, inner in _rows(value))
        return ("；" if pack.language == "zh" else "; ").join(pairs)
    if isinstance(value, list):
        return " / ".join(_in_words(inner, name_of, pack) for inner in value)
    return without_ids(name_of(value), name_of) if isinstance(value, str) else str(value)


def _labelled(key: str, value: Any, name_of: NameOf, pack: LanguagePack) -> str:
    """Returns a value behind what its key is called in the novel's language. One that a model
    coined in Latin letters stands there as it is: without it nobody knows of what the value is."""
    plain, words = name_of_id(key), _in_words(value, name_of, pack)
    whose = plain.partition(" ")[0]
    if whose in HELD_TRUE and whose in pack.labels and plain not in pack.labels:
        plain = whose
    return pack.labelled(plain, words)


_ORDER = (
    *("location", "status", "alive", "condition", "injury", "holder", "holds", "knows", "believes"),
    *("claims", "hides", "wants", "owes", "relation", "contents", "date"),
)
"""The fields that are asked for by name, in the order in which they are told."""


def _rows(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields the fields that say something, those without a name of ours behind the others."""

    def place(row: tuple[str, Any]) -> tuple[int, str]:
        return (_ORDER.index(row[0]) if row[0] in _ORDER else len(_ORDER), row[0])

    yield from sorted((row for row in value.items() if row[1] not in ({}, [], None)), key=place)
