"""The fields of forms as pure values, and the functions that parse what was typed into them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from studio.config.catalog import all_settings
from studio.errors import usage
from studio.i18n import _, series
from studio.project.planning.chapter_plan import heading
from studio.story.form.numerals import whole_number
from studio.story.lengths import Unit
from studio.story.told_length import ToldLength, length_alone
from studio.tui.views.lengths import unit_words


class FormField(NamedTuple):
    """A field of a form: one line, or several if `tall`."""

    key: str
    label: str
    value: str = ""
    hint: str = ""
    """A hint about what to enter, displayed while the field has the focus."""
    tall: bool = False
    says: Callable[[Mapping[str, str]], str] | None = None
    """Returns what is said beside the hint about the values that stand in the form."""


class SearchTerm(NamedTuple):
    """A search term to look for in a form."""

    text: str
    """The term and the rest of its line."""
    length: int
    """The length of the term alone, in characters."""


class Form(NamedTuple):
    """A page of fields."""

    name: str
    """The name under which unsaved input is kept."""
    title: str
    fields: tuple[FormField, ...]
    words: str = ""
    """The introduction at the top of the page."""
    focus: str = ""
    """The key of the field that has the focus first; empty for the first field."""
    chapter: int | None = None
    """The number of the chapter whose plan is being edited, if any."""
    saves_as: str = ""
    """What its Ctrl+S is called, where it does more than save."""

    @property
    def values(self) -> dict[str, str]:
        """The contents of the fields, by key."""
        return {field.key: field.value for field in self.fields}


def people_field(people: Iterable[str], there_are: Iterable[str]) -> FormField:
    """Returns the field for the people present, with those of the book as a hint."""
    words = _("Names, with commas. Whoever is new is made.{listed}", listed=list_names(there_are))
    return FormField("people", heading("people"), series(people), words)


def seen_by_field(who: str) -> FormField:
    """Returns the field for the point-of-view character."""
    return FormField("seen_by", heading("seen_by"), who, _("One of them, or nobody."))


def lines_field(key: str, label: str, lines: Iterable[str], hint: str) -> FormField:
    """Returns a field for a list with one item per line."""
    return FormField(key, label, "\n".join(lines), hint, tall=True)


def length_field(length: int | None, unit: Unit, hers: ToldLength | None = None) -> FormField:
    """Returns the field for the desired length, in the unit `unit`; filled in from her own words,
    `hers`, where there is none."""
    words = _("In {unit}; may stay empty.", unit=unit_words(unit))
    if length is None and hers is not None:
        words = f"{words} " + _("Your brief says “{words}”.", words=hers.words)
        length = hers.length
    return FormField("length", heading("length"), str(length or ""), words)


def length_of(words: str, unit: Unit | None = None) -> int | None:
    """Parses a length as somebody writes it (`2400`, `1,000 words`, `약 3000자`), None if empty;
    raises StudioError 2 if it is no length, or one that is counted otherwise than in `unit`."""
    digits = words.replace(",", "").replace(".", "").replace(" ", "")
    if not digits:
        return None
    length, kind = (whole_number(digits), "") if digits.isdecimal() else _length_in_words(words)
    if not length:
        raise usage(
            _("{words!r} is not a length.", words=words),
            _("Write a number, such as 2400, or leave it empty."),
        )
    if unit is not None and kind and (kind == "words") != (unit == "words"):
        raise usage(
            _("{words!r} is not a length in {unit}.", words=words, unit=unit_words(unit)),
            _("Write a number, such as 2400, or leave it empty."),
        )
    return length


def _length_in_words(words: str) -> tuple[int | None, str]:
    return length_alone(words) or (None, "")


def only_one(values: Mapping[str, str], key: str, parts: re.Pattern[str]) -> str:
    """Returns the value of a field that takes one name; raises StudioError 2 for several, which
    would become one that is called by all of them."""
    names = [" ".join(name.split()) for name in parts.split(values.get(key, ""))]
    several = [name for name in names if name]
    if len(several) > 1:
        field = heading(key)
        raise usage(
            _("{field}: {names} are more than one.", field=field, names=series(several)),
            _("Leave one here; a scene can have another than its chapter."),
        )
    return one_line(values, key) if not several else several[0]


def length_answered(words: str) -> int:
    """Parses the length of a chapter; raises StudioError 2 where it is no number, or none that the
    novel's settings take."""
    setting = next(one for one in all_settings() if one.key == "targets.chapter_length")
    return int(setting.value_of(str(length_of(words) or "")))


def lines_of(text: str) -> tuple[str, ...]:
    """Returns the non-empty lines of a field, without list bullets."""
    plain = (" ".join(line.split()) for line in text.splitlines())
    return tuple(line.removeprefix("- ").removeprefix("· ") for line in plain if line)


def one_line(values: Mapping[str, str], key: str) -> str:
    """Returns the value of a single-line field, with white space normalized."""
    return " ".join(values.get(key, "").split())


def list_names(names: Iterable[str], most: int = 8) -> str:
    """Returns the first few names as an addition to a hint."""
    first = [*names][:most]
    return _(" So far: {names}.", names=series(first)) if first else ""
