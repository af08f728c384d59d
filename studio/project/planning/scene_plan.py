"""The plan of one scene as a writer fills it in, and its part of the chapter's contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from studio.errors import usage
from studio.i18n import Language
from studio.messages import said
from studio.project.planning.chapter_plan import (
    Making,
    contract_draft,
    people_called,
    places_called,
    volume_of_plan,
)
from studio.project.planning.plan_change import carry, hold_for_planning
from studio.project.planning.planned_book import PlannedBook
from studio.project.store import ProjectStore
from studio.story.contract import ChapterContract, SceneSpec
from studio.story.form.validation import check, parse_json

STYLES = ("genre", "scene_type", "emotional_tone", "pov", "pacing")
"""The dimensions in which a scene may depart from the book's style."""


@dataclass(frozen=True, slots=True)
class ScenePlan:
    """The fields of a scene's form: names as they are typed, one item per entry."""

    purpose: str = ""
    seen_by: str = ""
    place: str = ""
    people: tuple[str, ...] = ()
    enters: str = ""
    """The emotion at the scene's beginning."""
    leaves: str = ""
    """The emotion at the scene's end."""
    peak: str = ""
    senses: tuple[str, ...] = ()
    talk: tuple[str, ...] = ()
    """The purpose of each conversation."""
    takes_over: str = ""
    hands_on: str = ""
    tone: str = ""
    tags: tuple[str, ...] = ()
    """Tags of the passages in the style library that the scene should resemble."""
    style: Mapping[str, str] = field(default_factory=dict)
    """The scene's departures from the book's style, by the names in STYLES."""
    length: int | None = None
    when: str = ""
    flashback: bool = False


def scenes_of(store: ProjectStore, number: int) -> tuple[SceneSpec, ...]:
    """Returns the scenes planned in a chapter's contract; empty if there is no contract."""
    contract = store.contract(number)
    return contract.scenes if contract else ()


def plan_of_scene(store: ProjectStore, scene: SceneSpec) -> ScenePlan:
    """Returns a scene as the form shows it; an id that has no name is shown as it is."""
    people, places = people_called(store), places_called(store)
    style = scene.style_override.model_dump() if scene.style_override else {}
    return ScenePlan(
        purpose=scene.purpose,
        seen_by=people.get(scene.pov, scene.pov) if scene.pov else "",
        place=places.get(scene.location, scene.location) if scene.location else "",
        people=tuple(people.get(slug, slug) for slug in scene.characters),
        enters=scene.entry_emotion,
        leaves=scene.exit_emotion,
        peak=scene.peak_moment,
        senses=scene.sensory_anchors,
        talk=scene.dialogue_goals,
        takes_over=scene.transition_from,
        hands_on=scene.transition_to,
        tone=scene.emotional_tone,
        tags=scene.exemplar_tags,
        style={name: words for name, words in style.items() if words},
        length=scene.target_length,
        when=scene.when,
        flashback=scene.flashback,
    )


def save_scene(
    store: ProjectStore,
    language: Language,
    number: int,
    at: int | None,
    plan: ScenePlan,
    to: int | None = None,
    before: SceneSpec | None = None,
) -> list[str]:
    """Writes one scene into a chapter's contract in a single undoable step: the scene `at` (None: a
    new one), which becomes the scene `to` (None: it keeps its position, or comes last). A scene
    without a purpose is removed. Returns a sentence for everything created along with it.

    Raises StudioError (exit 2): the chapter has no plan, or the scene no longer equals `before`.
    """
    with hold_for_planning(store) as lock:
        book = PlannedBook.read(store, language)
        volume = volume_of_plan(store, book, number)
        path = store.layout.contract(volume, number)
        present = store.root.find(path)
        if present is None:
            raise usage(
                said("Chapter {number} has no plan yet.", number=number),
                said("Say first what happens in it."),
            )
        raw = parse_json(present, path)
        standing = scenes_of(store, number)
        if at is not None and standing[at - 1 : at] != (before,):
            raise usage(
                said(
                    "The scenes of chapter {number} were changed by someone else meanwhile.",
                    number=number,
                ),
                said("What you typed is kept here: copy it, leave, and open the scene again."),
            )
        made = Making(store)
        scenes = list(raw.get("scenes", []))
        old = scenes.pop(at - 1) if at is not None else {}
        if plan.purpose.strip():
            place = min(max(1, to or at or len(scenes) + 1), len(scenes) + 1)
            scenes.insert(place - 1, _fields(old, plan, made))
        numbered = [{**scene, "number": n} for n, scene in enumerate(scenes, start=1)]
        fresh = {**raw, "scenes": numbered}
        if not numbered:
            fresh.pop("scenes")
        check(ChapterContract, {"schema_version": 1, **fresh}, path)
        draft = contract_draft(book, number, volume, fresh, language)
        draft.files |= made.files()
        carry(store, lock, draft)
        return made.sentences


def _fields(old: Mapping[str, Any], plan: ScenePlan, made: Making) -> dict[str, Any]:
    """Returns the scene's fields for the file; empty ones are left out."""
    fields: dict[str, Any] = {
        "purpose": " ".join(plan.purpose.split()),
        "pov": made.person(plan.seen_by) if plan.seen_by.strip() else None,
        "location": _place(old.get("location"), plan.place, made),
        "characters": list(dict.fromkeys(made.person(name) for name in plan.people)),
        "entry_emotion": plan.enters,
        "exit_emotion": plan.leaves,
        "peak_moment": plan.peak,
        "sensory_anchors": list(plan.senses),
        "dialogue_goals": list(plan.talk),
        "transition_from": plan.takes_over,
        "transition_to": plan.hands_on,
        "emotional_tone": plan.tone,
        "exemplar_tags": list(plan.tags),
        "style_override": dict(plan.style) or None,
        "target_length": plan.length,
        "when": plan.when,
        "flashback": plan.flashback,
    }
    stay = {key: value for key, value in old.items() if key not in fields}
    return stay | {
        key: value for key, value in fields.items() if value not in (None, "", [], False)
    }


def _place(present: str | None, name: str, made: Making) -> str | None:
    """Returns the slug of a place; an id without an entry remains until it gets another name."""
    name = name.strip()
    return (present if name == present else made.place(name)) if name else None
