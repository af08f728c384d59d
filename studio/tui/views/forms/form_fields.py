"""Forms as values: their fields, and what was typed into them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from studio.errors import usage
from studio.i18n import _, series
from studio.project.planning.chapter_plan import heading
from studio.tui.views.lengths import unit_words


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


def people_field(people: Iterable[str], there_are: Iterable[str]) -> FormField:
    """Who is there, of those the book has."""
    words = _("Names, with commas. Whoever is new is made.{listed}", listed=listed(there_are))
    return FormField("people", heading("people"), ", ".join(people), words)


def seen_by_field(who: str) -> FormField:
    """Through whose eyes it is told."""
    return FormField("seen_by", heading("seen_by"), who, _("One of them, or nobody."))


def lines_field(key: str, label: str, lines: Iterable[str], hint: str) -> FormField:
    """Several things, a line each."""
    return FormField(key, label, "\n".join(lines), hint, tall=True)


def length_field(length: int | None, unit: str) -> FormField:
    """How long it shall be, in what `unit` counts."""
    words = _("In {unit}; may stay empty.", unit=unit_words(unit))
    return FormField("length", heading("length"), str(length or ""), words)


def length_of(words: str) -> int | None:
    """A length that was typed, None for none; StudioError 2 for what is no number."""
    digits = words.replace(",", "").replace(".", "").replace(" ", "")
    if not digits:
        return None
    if not digits.isdecimal() or int(digits) == 0:
        raise usage(
            _("{words!r} is not a length.", words=words),
            _("Write a number, such as 2400, or leave it empty."),
        )
    return int(digits)


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
    first = [*names][:most]
    return _(" So far: {names}.", names=series(first)) if first else ""
