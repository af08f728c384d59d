"""Forms as values: their fields, and what was typed into them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from studio.i18n import _


class FormField(NamedTuple):
    """One field: a line, or several where `tall`."""

    key: str
    label: str
    value: str = ""
    hint: str = ""
    """What belongs there, said while it has the keys."""
    tall: bool = False


class Wording(NamedTuple):
    """Words that are looked for in a form."""

    text: str
    """They and what follows them on their line."""
    length: int
    """Characters of the words themselves."""


class Form(NamedTuple):
    """A page of fields."""

    name: str
    """Under which what was typed and not saved is kept."""
    title: str
    fields: tuple[FormField, ...]
    words: str = ""
    """What the page says first."""
    focus: str = ""
    """The field that has the keys at first; empty for the first."""
    chapter: int | None = None
    """The chapter whose plan it is."""

    @property
    def values(self) -> dict[str, str]:
        """What stands in the fields, by key."""
        return {field.key: field.value for field in self.fields}


def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a field that say something; points of a list lose their signs."""
    plain = (" ".join(line.split()) for line in text.splitlines())
    return tuple(line.removeprefix("- ").removeprefix("· ") for line in plain if line)


def names_of(text: str) -> tuple[str, ...]:
    """Names with commas of any writing between them, or a line each."""
    for sign in "，、;；\n":
        text = text.replace(sign, ",")
    return tuple(name for part in text.split(",") if (name := " ".join(part.split())))


def one_line(values: Mapping[str, str], key: str) -> str:
    """A field that holds one line."""
    return " ".join(values.get(key, "").split())


def listed(names: Iterable[str], most: int = 8) -> str:
    """A few names, for a hint."""
    shown = [*names][:most]
    return _(" So far: {shown}.", shown=", ".join(shown)) if shown else ""
