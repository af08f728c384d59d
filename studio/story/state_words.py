"""What the story's state says, in a reader's words: its usual keys and values, and chapters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from studio.i18n import N_, _, as_label, language_in_force, series
from studio.messages import Said, join, said
from studio.story.form.slugs import name_of_id
from studio.story.state import CATEGORIES, PlainOp, StateOp

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
_CHAPTERS = frozenset(
    {"planted", "last", "last_seen", "due", "advanced", "resolved", "planned", "last_chapter"}
)
"""The keys whose number is that of a chapter."""


def word_of_state(name: str) -> str:
    """Returns a key or a short value of the state in the writer's language, `last_seen` for
    instance; an unknown one as words."""
    plain = name_of_id(name)
    return _(plain) if plain in WORDS else plain


def is_coined(called: str, words: str, language: str) -> bool:
    """Whether what a name of the state is `called` says nothing to who reads these words of the
    book in this language: a model coined it in Latin letters, and no other name is known."""
    return language != "en" and called.isascii() and not words.isascii()


def labelled_fact(name: str, called: str, value: object, words: str) -> str:
    """Returns `hand: hurt`, a value in `words` behind what its name is `called`; the words alone
    where the name is a model's. A yes or no says nothing alone."""
    is_bare = called == name_of_id(name) and not isinstance(value, bool)
    if is_bare and is_coined(called, words, language_in_force()):
        return words
    return as_label(called) + words


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
        facts = ((name, fact_in_words(value[name], word, name)) for name in value)
        return _("; ").join(
            labelled_fact(name, word(name), value[name], words) for name, words in facts
        )
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
    plain = _(_SOMEBODY[category]) if is_code else name_of_id(entry)
    who = names.get(entry) or plain
    value = fact_in_words(change.value, key=keys[-1] if keys else "")
    says = "" if isinstance(change.value, bool) else value
    words = [word_of_state(key) for key in keys]
    path = [who, *(word for word in words if not is_coined(word, says, language_in_force()))]
    if change.op == "remove":
        return _("no longer: {what}", what=series([*path, *([value] if change.value else [])]))
    return "".join(map(as_label, path)) + (f"+{value}" if change.op == "inc" else value)


def said_of_left_out(change: PlainOp, reason: str, name_of: Callable[[str], str]) -> Said:
    """Returns the sentence about a change that the state does not take, by names and without a
    path: `name_of` gives the name of an id."""
    words = change_by_names(change, name_of)
    return said(
        "The book does not take note of this: {entry}: {reason}.",
        entry=words,
        reason=reason_by_names(change, reason, name_of),
    )


def change_by_names(change: PlainOp, name_of: Callable[[str], str]) -> str:
    """Returns a change by the names of those it is about: `Mara: mood: wary`."""
    kind, path, value = change
    of_whom, *keys = _without_category(path)
    words = " ".join(str(value).split()) if value is not None else ""
    if kind == "foreshadow":
        return f"{_named(of_whom, name_of)}: {words}"
    words = join((*map(name_of_id, keys), *([words] if words else ())), ": ")
    whole = join((_named(of_whom, name_of), words), ": ")
    return said("no longer: {what}", what=whole) if kind == "remove" else whole


def reason_by_names(change: PlainOp, reason: str, name_of: Callable[[str], str]) -> str:
    """Returns why a change is left out, with what it is about called by its name."""
    path = change[1]
    if not isinstance(reason, Said) or not isinstance(reason.values, Mapping):
        return reason
    last = _without_category(path)[-1]
    named = {
        field: name_of_id(_named(last, name_of))
        for field in ("path", "promise")
        if field in reason.values
    }
    return reason.with_values(**named) if named else reason


def _without_category(path: str) -> list[str]:
    """Returns of whom a path is and what of them, whatever a model made of it."""
    parts = [part for part in path.split(".") if part.strip()] or [path]
    return parts[1:] if parts[0] in CATEGORIES and len(parts) > 1 else parts


def _named(id_: str, name_of: Callable[[str], str]) -> str:
    name = name_of(id_)
    return name if name != id_ else name_of_id(id_)
