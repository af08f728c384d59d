"""Converts the plan of a scene to a form and back. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from studio.errors import usage
from studio.i18n import N_, _, as_label, language_in_force, series
from studio.project.planning.chapter_plan import STYLES, ScenePlan
from studio.story.form.lists import names_of
from studio.story.lengths import Unit
from studio.text.language.packs import manner_words
from studio.tui.views.forms.form_fields import (
    Form,
    FormField,
    length_field,
    length_of,
    lines_field,
    lines_of,
    list_names,
    one_line,
    people_field,
    seen_by_field,
)

_STYLES = {
    "genre": N_("genre"),
    "scene_type": N_("kind of scene"),
    "emotional_tone": N_("tone"),
    "pov": N_("point of view"),
    "pacing": N_("pace"),
}
_YES = ("yes", "y", "예", "네", "是")


class SceneEntry(NamedTuple):
    """The parsed form of a scene."""

    plan: ScenePlan
    number: int | None
    """The wanted number of the scene; None keeps the present one."""


def form_of_scene(
    chapter: int,
    number: int | None,
    plan: ScenePlan,
    *,
    people: Iterable[str],
    places: Iterable[str],
    unit: Unit,
) -> Form:
    """Returns the form of a scene; with `number` None, the form of a new scene."""
    title = _("Scene {number} of chapter {chapter}", number=number, chapter=chapter)
    if number is None:
        title = _("A new scene of chapter {chapter}", chapter=chapter)
    fields = (
        FormField(
            "purpose",
            _("What it is for"),
            plan.purpose,
            _("What has to happen in it, and could fail. Left empty, the scene is taken out."),
        ),
        FormField("number", _("Which one"), str(number or ""), _("A different number moves it.")),
        seen_by_field(plan.seen_by),
        people_field(plan.people, people),
        FormField(
            "place",
            _("Where"),
            plan.place,
            _(
                "A place; one that is new gets a note of its own.{listed}",
                listed=list_names(places),
            ),
        ),
        *_fields_of_feeling(plan),
        *_fields_of_telling(plan, unit),
    )
    return Form(f"scene-{number or 'new'}", title, fields)


def _fields_of_feeling(plan: ScenePlan) -> tuple[FormField, ...]:
    return (
        FormField("tone", _("Tone"), plan.tone, _("Tense, tender, dry …")),
        FormField("enters", _("Begins feeling"), plan.enters, _("What is felt as it begins.")),
        FormField(
            "leaves", _("Ends feeling"), plan.leaves, _("A different feeling from the beginning.")
        ),
        FormField("peak", _("Its peak"), plan.peak, _("The moment it builds up to.")),
        lines_field(
            "senses",
            _("What is sensed"),
            plan.senses,
            _("Two or three, a line each; not sight alone: smell: lamp oil."),
        ),
        lines_field(
            "talk",
            _("What talk is for"),
            plan.talk,
            _("A line for each conversation: what somebody wants of it."),
        ),
    )


def _fields_of_telling(plan: ScenePlan, unit: Unit) -> tuple[FormField, ...]:
    language = language_in_force()
    style = [
        as_label(_(_STYLES[name])) + manner_words(words, language)
        for name, words in plan.style.items()
    ]
    names = series(_(_STYLES[name]) for name in STYLES)
    return (
        FormField("takes_over", _("Comes from"), plan.takes_over, _("What it takes up.")),
        FormField("hands_on", _("Leads to"), plan.hands_on, _("What it hands to the next.")),
        FormField("when", _("When"), plan.when, _("2031-05-04, or day 3 21:00, or your words.")),
        FormField(
            "flashback",
            _("Looks back"),
            _("yes") if plan.flashback else "",
            _("yes, if it tells of an earlier time than the scenes around it."),
        ),
        FormField(
            "tags",
            _("Like passages of"),
            series(manner_words(tag, language) for tag in plan.tags),
            _("Words of your style library, with commas: dialogue, tense."),
        ),
        lines_field(
            "style",
            _("Told otherwise"),
            style,
            _("Where it departs from the book's manner, a line each: {names}.", names=names),
        ),
        length_field(plan.length, unit),
    )


def scene_of_form(values: Mapping[str, str]) -> SceneEntry:
    """Parses the form of a scene; raises StudioError 2 for an invalid length or scene number, and
    for a style line whose first word is not a style dimension."""
    number = one_line(values, "number")
    if number and (not number.isdecimal() or int(number) == 0):
        raise usage(
            _("{words!r} is not the number of a scene.", words=number), _("Write 1 for the first.")
        )
    plan = ScenePlan(
        purpose=one_line(values, "purpose"),
        seen_by=one_line(values, "seen_by"),
        place=one_line(values, "place"),
        people=names_of(values["people"]),
        enters=one_line(values, "enters"),
        leaves=one_line(values, "leaves"),
        peak=one_line(values, "peak"),
        senses=lines_of(values["senses"]),
        talk=lines_of(values["talk"]),
        takes_over=one_line(values, "takes_over"),
        hands_on=one_line(values, "hands_on"),
        tone=one_line(values, "tone"),
        tags=names_of(values["tags"]),
        style=dict(_style(line) for line in lines_of(values["style"])),
        length=length_of(one_line(values, "length")),
        when=one_line(values, "when"),
        flashback=one_line(values, "flashback").casefold() in (*_YES, _("yes")),
    )
    return SceneEntry(plan, int(number) if number else None)


def _style(line: str) -> tuple[str, str]:
    """Parses `pace: slow` into the style dimension and its value."""
    word, _colon, words = line.replace("：", ":").partition(":")
    plain = " ".join(word.split()).casefold()
    for name, label in _STYLES.items():
        if plain in (name, name.replace("_", " "), label, _(label).casefold()) and words.strip():
            return name, words.strip()
    names = series(_(label) for label in _STYLES.values())
    raise usage(
        _("{line!r} names no part of a style.", line=line),
        _("Write one of these, a colon and its value: {names}.", names=names),
    )
