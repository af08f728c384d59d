"""What the story's state says, in a reader's words: its usual keys and values, and chapters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from studio.i18n import N_, _, as_label, series
from studio.story.state import StateOp

WORDS = frozenset(
    {
        *(N_("location"), N_("status"), N_("alive"), N_("dead"), N_("state"), N_("condition")),
        *(N_("knows"), N_("believes"), N_("suspects"), N_("secret"), N_("name"), N_("role")),
        *(N_("goal"), N_("plan"), N_("mood"), N_("feeling"), N_("health"), N_("injury")),
        *(N_("injuries"), N_("wound"), N_("age"), N_("job"), N_("relation"), N_("relations")),
        *(N_("relationship"), N_("relationships"), N_("trust"), N_("debt"), N_("money")),
        *(N_("holder"), N_("owner"), N_("holds"), N_("has"), N_("carries"), N_("wears")),
        *(N_("contents"), N_("date"), N_("time"), N_("weather"), N_("season"), N_("day")),
        *(N_("open"), N_("closed"), N_("locked"), N_("broken"), N_("lost"), N_("found")),
        *(N_("promised"), N_("planted"), N_("advanced"), N_("resolved")),
        *(N_("abandoned"), N_("planned"), N_("last"), N_("due"), N_("last seen"), N_("value")),
    }
)
"""Keys and values that a state is usually kept with; every other one is a model's own word."""
_CHAPTERS = frozenset({"planted", "last", "last_seen", "due", "advanced", "resolved", "planned"})
"""The keys whose number is that of a chapter."""


def word_of_state(name: str) -> str:
    """Returns a key or a short value of the state in the writer's language, `last_seen` for
    instance; an unknown one as words."""
    plain = name.replace("_", " ").replace("-", " ")
    return _(plain) if plain in WORDS else plain


def fact_in_words(value: object, word: Callable[[str], str] = word_of_state, key: str = "") -> str:
    """Formats a value of the story's state for a reader, a chapter's number where its `key` says
    so; `word` converts each text or key in it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int) and key in _CHAPTERS:
        return _("chapter {n}", n=value)
    if isinstance(value, list):
        return series(fact_in_words(entry, word) for entry in value)
    if isinstance(value, dict):
        pairs = ((word(name), fact_in_words(value[name], word, name)) for name in value)
        return "; ".join(as_label(name) + words for name, words in pairs)
    if value is None:
        return _("nothing")
    return word(value) if isinstance(value, str) else str(value)


_OF_A_PROMISE = {
    "plant": N_("promised: {words}"),
    "advance": N_("a promise taken up: {words}"),
    "resolve": N_("a promise kept: {words}"),
}


_SOMEBODY = {
    "characters": N_("somebody unnamed"),
    "locations": N_("a place unnamed"),
    "items": N_("a thing unnamed"),
    "factions": N_("a group unnamed"),
}
"""Who or what an id with a number in it stands for, where no name is known: it says nothing."""


def change_in_words(
    change: StateOp, about: str = "", names: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Returns a change of the state for a reader: `promised: Who rang the bell`, or `Mara:
    location: lamp room`. `about` is what is promised, `names` has the names of ids."""
    if change.op == "foreshadow":
        what = about or word_of_state(change.path)
        return _(_OF_A_PROMISE.get(str(change.value), _OF_A_PROMISE["advance"]), words=what)
    category, entry, *keys = change.path.split(".")
    is_code = any(letter.isdecimal() for letter in entry) and category in _SOMEBODY
    plain = _(_SOMEBODY[category]) if is_code else entry.replace("_", " ").replace("-", " ")
    who = names.get(entry) or plain
    path = [who, *map(word_of_state, keys)]
    value = fact_in_words(change.value, key=keys[-1] if keys else "")
    if change.op == "remove":
        return _("no longer: {what}", what=series([*path, *([value] if change.value else [])]))
    return "".join(map(as_label, path)) + (f"+{value}" if change.op == "inc" else value)
