"""Converts the plan of a chapter to a form and back. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Literal

from studio.i18n import _, as_label
from studio.project.planning.chapter_plan import ChapterPlan, heading
from studio.project.planning.newcomers import Newcomer
from studio.story.contract import ForeshadowAction
from studio.story.form.lists import names_of
from studio.story.lengths import Unit
from studio.story.told_length import ToldLength, chapter_length_told
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
from studio.tui.views.lengths import length_words
from studio.tui.views.terms import deed

_PROMISE = re.compile(
    r"^(plant|advance|resolve|pay[ -]?off)\s*[:：·-]?\s+(.+)$|^(심기|진전|회수)\s*[:：·-]?\s+(.+)$"
    r"|^(埋下|推进|回收|兑现)\s*[:：·-]?\s*(.+)$",
    re.IGNORECASE,
)
_PLACE = re.compile(r"^(.+?)\s*[(（](?:place|장소|地点)[)）]$", re.IGNORECASE)
_DEED_OF: Mapping[str, ForeshadowAction] = {
    **dict.fromkeys(("plant", "심기", "埋下"), "plant"),
    **dict.fromkeys(("advance", "진전", "推进"), "advance"),
    **dict.fromkeys(("resolve", "payoff", "회수", "回收", "兑现"), "resolve"),
}


def form_of_plan(
    chapter: int,
    plan: ChapterPlan,
    *,
    people: Iterable[str],
    promises: Iterable[str],
    lines: Iterable[str],
    places: Iterable[str],
    unit: Unit,
    words: str = "",
    hers: ToldLength | None = None,
) -> Form:
    """Returns the form, filled in from the plan; `unit` is the unit of lengths. A length that the
    brief of the book names, `hers`, is filled in where the plan has none."""
    length = length_field(plan.length, unit, hers)
    says = partial(_length_named, unit=unit, standing=length.value) if plan.length is None else None
    happens = (
        FormField(
            "title", heading("title"), plan.title, _("May stay empty: the chapter has its number.")
        ),
        lines_field(
            "happens",
            heading("happens"),
            plan.happens,
            _("A line for each thing that happens. One sentence is a plan; ↑ is the title."),
        )._replace(says=says),
        people_field(plan.people, people),
        seen_by_field(plan.seen_by),
        FormField(
            "place",
            heading("place"),
            plan.place,
            _(
                "A place; one that is new gets a note of its own.{listed}",
                listed=list_names(places),
            ),
        ),
    )
    more = _more_fields(plan, list_names(promises, 4), list_names(lines), length)
    title = _("Plan of chapter {chapter}", chapter=chapter)
    focus = "happens" if plan.is_empty else "title"
    return Form("plan", title, (*happens, *more), words, focus, chapter)


def _length_named(values: Mapping[str, str], unit: Unit, standing: str) -> str:
    """Says which length the words about what happens name, which becomes the chapter's; nothing
    where she gave a number herself."""
    if values.get("length", "").strip() not in ("", standing):
        return ""
    hers = chapter_length_told(lines_of(values.get("happens", "")), unit, of_one=True)
    return _("Its length: {length}.", length=length_words(hers.length, unit)) if hers else ""


def with_told_length(plan: ChapterPlan, form: Form, unit: Unit) -> ChapterPlan:
    """Returns a plan of the form with the length that its own words name, where she gave no number
    herself."""
    if plan.length is not None and str(plan.length) != form.values["length"]:
        return plan
    hers = chapter_length_told((*plan.happens, *plan.ends, *plan.scenes), unit, of_one=True)
    return plan if hers is None else replace(plan, length=hers.length)


def _more_fields(
    plan: ChapterPlan, promises: str, lines: str, length: FormField
) -> tuple[FormField, ...]:
    return (
        lines_field(
            "must_not",
            heading("must_not"),
            plan.must_not,
            _("What must not happen or be said yet, a line each."),
        ),
        lines_field(
            "ends", heading("ends"), plan.ends, _("What is different at the end of the chapter.")
        ),
        lines_field(
            "promises",
            heading("promises"),
            [as_label(deed(action)) + name for action, name in plan.promises],
            _(
                "A line each: plant, advance or pay off, then which one.{promises}",
                promises=promises,
            ),
        ),
        FormField(
            "line", heading("line"), plan.line, _("The thread it belongs to.{lines}", lines=lines)
        ),
        length,
        lines_field(
            "scenes",
            heading("scenes"),
            plan.scenes,
            _("Only if you want to: a line for what each is for. F8 says more of each."),
        ),
        lines_field(
            "introduces",
            heading("introduces"),
            map(_introduce, plan.introduces),
            _("Who or what gets a card: “Tam: the ferryman's boy”, “Quay (place): slate, salt”."),
        ),
    )


def values_of_plan(plan: ChapterPlan) -> dict[str, str]:
    """Returns the contents of the fields of a plan's form, by key."""
    return form_of_plan(1, plan, people=(), promises=(), lines=(), places=(), unit="words").values


def plan_of_form(values: Mapping[str, str]) -> ChapterPlan:
    """Parses the form into a plan; raises StudioError 2 for a length that is not a number."""
    return ChapterPlan(
        title=one_line(values, "title"),
        happens=lines_of(values["happens"]),
        people=names_of(values["people"]),
        seen_by=one_line(values, "seen_by"),
        place=one_line(values, "place"),
        must_not=lines_of(values["must_not"]),
        ends=lines_of(values["ends"]),
        promises=tuple(_promise(line) for line in lines_of(values["promises"])),
        line=one_line(values, "line"),
        length=length_of(one_line(values, "length")),
        scenes=lines_of(values["scenes"]),
        introduces=tuple(map(_newcomer, lines_of(values["introduces"]))),
    )


def _introduce(newcomer: Newcomer) -> str:
    """Returns the line of somebody or some place that is new."""
    mark = f" ({_('place')})" if newcomer.kind == "place" else ""
    return f"{as_label(f'{newcomer.name}{mark}')}{newcomer.line}".rstrip()


def _newcomer(line: str) -> Newcomer:
    """Parses the line of somebody or some place that is new."""
    name, _colon, words = line.replace("：", ":", 1).partition(":")
    match = _PLACE.match(name.strip())
    kind: Literal["person", "place"] = "person" if match is None else "place"
    return Newcomer(kind=kind, name=match[1] if match else name.strip(), line=words.strip())


def _promise(line: str) -> tuple[ForeshadowAction, str]:
    """Parses a line about a promise; a line that names no action plants the promise."""
    match = _PROMISE.match(line)
    if match is None:
        return "plant", line
    word, name = (part for part in match.groups() if part)
    return _DEED_OF[word.lower().replace(" ", "").replace("-", "")], name
