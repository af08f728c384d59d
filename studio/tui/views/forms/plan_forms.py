"""Plans as forms, and back: what a writer wants of a volume, the plan of a chapter, the plan of a
scene. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from studio.errors import usage
from studio.i18n import (
    N_,
    _,
    as_label,
    aside,
    language_in_force,
    one_after_another,
    series,
    translate,
)
from studio.pipeline.volume.architect import VolumeOrder
from studio.project.planning.chapter_plan import STYLES, ChapterPlan, Newcomer, ScenePlan, heading
from studio.story.contract import ForeshadowAction
from studio.story.form.lists import names_of
from studio.story.form.numerals import whole_number
from studio.story.lengths import Unit
from studio.story.told_length import ToldLength, chapter_length_told
from studio.text.language.names import Bearer, NameIndex, examples_of
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
    only_one,
    people_field,
    seen_by_field,
)
from studio.tui.views.lengths import length_words, unit_words
from studio.tui.views.terms import deed

if TYPE_CHECKING:
    from studio.story.ledger import Estimate


def form_of_order(
    price: Estimate, chapters: int, length: int, unit: Unit, hers: ToldLength | None = None
) -> Form:
    """Returns the form, with what holds where she changes nothing: `chapters` of `length` each in
    the unit `unit`; a length that the brief of the book names is filled in for her."""
    of_hers = _("Your brief says “{words}”.", words=hers.words) if hers else ""
    fields = (
        FormField(
            "wish",
            _("Your wish"),
            hint=_("What do you want of the volume? It may stay empty."),
            tall=True,
        ),
        FormField(
            "chapters",
            _("How many"),
            str(chapters),
            _("Chapters from the next one on; as it stands, your wish may say another number."),
        ),
        FormField(
            "length",
            heading("length"),
            str(hers.length if hers else length),
            " ".join(
                filter(
                    None,
                    (
                        _(
                            "Of each chapter, in {unit}. Changed, it goes into each plan.",
                            unit=unit_words(unit),
                        ),
                        of_hers,
                    ),
                )
            ),
        ),
    )
    words = _("Nothing changes before you say so: {price}.", price=translate(price.words))
    return Form("volume-order", _("Plan the volume"), fields, words, saves_as=_("Plan it"))


def order_of_form(
    values: Mapping[str, str], form: Form, hers: ToldLength | None = None
) -> VolumeOrder:
    """Returns what she wants; a number that she left as it was is none that she gave: her wish
    or her brief says it; but one of which her brief does not say what it is of is. StudioError
    (exit 2) for one that is not a number."""

    def given(key: str) -> int | None:
        number = length_of(one_line(values, key))
        return None if str(number) == form.values[key] else number

    wish = values["wish"].strip()
    length = given("length") or (hers.length if hers and not hers.is_sure else None)
    return VolumeOrder(chapters=given("chapters"), direction=wish, length=length)


_PROMISE = re.compile(
    r"^(plant|advance|resolve|pay[ -]?off)\s*[:：·-]?\s+(.+)$|^(심기|진전|회수)\s*[:：·-]?\s+(.+)$"
    r"|^(埋下|推进|回收|兑现)\s*[:：·-]?\s*(.+)$",
    re.IGNORECASE,
)
_PLACE = re.compile(r"^(.+?)\s*[(（](?:place|장소|地点)[)）]$", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"^([^:：]+?)\s*[(（](?:not\s|제외[\s:：]|不是)\s*([^)）]+?)\s*[)）]\s*(?:[:：]\s*(.*))?$",
    re.IGNORECASE,
)
"""A name and, in parentheses, the look-alikes that are not it; who that is behind a colon."""
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
    known: NameIndex | None = None,
) -> Form:
    """Returns the form, filled in from the plan; `unit` is the unit of lengths. A length that the
    brief of the book names, `hers`, is filled in where the plan has none. With those whom the book
    knows, it says of whoever is new by which forms a text may have them as well."""
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
    if known is not None:
        *more_before, newcomers = more
        more = (*more_before, newcomers._replace(says=partial(_found_as, known=known)))
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


_PLACES = re.compile(r"[;；、\n]")
"""What stands between two places; a comma may stand within one: the kitchen, Tanner Street."""
_PEOPLE = re.compile(r"[,，、;；\n]")


def plan_of_form(values: Mapping[str, str], unit: Unit | None = None) -> ChapterPlan:
    """Parses the form into a plan; raises StudioError 2 for a length that is none in `unit`, and
    for several names where one belongs."""
    return ChapterPlan(
        title=one_line(values, "title"),
        happens=lines_of(values["happens"]),
        people=names_of(values["people"]),
        seen_by=only_one(values, "seen_by", _PEOPLE),
        place=only_one(values, "place", _PLACES),
        must_not=lines_of(values["must_not"]),
        ends=lines_of(values["ends"]),
        promises=tuple(_promise(line) for line in lines_of(values["promises"])),
        line=one_line(values, "line"),
        length=length_of(one_line(values, "length"), unit),
        scenes=lines_of(values["scenes"]),
        introduces=tuple(map(_newcomer, lines_of(values["introduces"]))),
    )


def _introduce(newcomer: Newcomer) -> str:
    """Returns the line of somebody or some place that is new."""
    mark = f" ({_('place')})" if newcomer.kind == "place" else ""
    if newcomer.exclude:
        mark += aside(_("not {names}", names=series(newcomer.exclude)))
    return f"{as_label(f'{newcomer.name}{mark}')}{newcomer.line}".rstrip()


def _found_as(values: Mapping[str, str], known: NameIndex) -> str:
    """Says of everybody new by which forms a text may have them besides their name, less the
    look-alikes that stand behind it; what she does not want she puts there."""
    rows, last = [], ""
    for line in lines_of(values.get("introduces", "")):
        new = _newcomer(line)
        bearer = Bearer("", (new.name,), new.exclude, new.kind == "person")
        if new.name and (forms := examples_of(bearer, known)):
            rows.append(as_label(new.name) + series(forms))
            last = forms[-1]
    if not rows:
        return ""
    left_out = aside(_("not {names}", names=last)).strip()
    return one_after_another(
        _("Also found as: {names}.", names=_("; ").join(rows)),
        _("“{words}” behind a name leaves one out.", words=left_out),
    )


def _newcomer(line: str) -> Newcomer:
    """Parses the line of somebody or some place that is new."""
    name, _colon, words = line.replace("：", ":", 1).partition(":")
    if left_out := _LEFT_OUT.match(line.strip()):
        name, words = left_out[1], left_out[3] or ""
    name = name.strip()
    match = _PLACE.match(name)
    return Newcomer(
        kind="person" if match is None else "place",
        name=match[1] if match else name,
        line=words.strip(),
        exclude=names_of(left_out[2]) if left_out else (),
    )


def _promise(line: str) -> tuple[ForeshadowAction, str]:
    """Parses a line about a promise; a line that names no action plants the promise."""
    match = _PROMISE.match(line)
    if match is None:
        return "plant", line
    word, name = (part for part in match.groups() if part)
    return _DEED_OF[word.lower().replace(" ", "").replace("-", "")], name


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


def scene_of_form(values: Mapping[str, str], unit: Unit | None = None) -> SceneEntry:
    """Parses the form of a scene; raises StudioError 2 for an invalid length or scene number, for
    several names where one belongs, and for a style line whose first word is no style dimension."""
    words = one_line(values, "number")
    number = whole_number(words)
    if words and not number:
        raise usage(
            _("{words!r} is not the number of a scene.", words=words), _("Write 1 for the first.")
        )
    plan = ScenePlan(
        purpose=one_line(values, "purpose"),
        seen_by=only_one(values, "seen_by", _PEOPLE),
        place=only_one(values, "place", _PLACES),
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
        length=length_of(one_line(values, "length"), unit),
        when=one_line(values, "when"),
        flashback=one_line(values, "flashback").casefold() in (*_YES, _("yes")),
    )
    return SceneEntry(plan, number)


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
