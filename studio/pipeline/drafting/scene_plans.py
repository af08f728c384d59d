"""The scenes of a chapter: as its contract gives them, or the units of its plan in order (seed A1).

Code divides and never invents: feelings, tone, pace, senses, peaks and who is there come from the
author or from a model, and what nobody said is not there (WRITING 2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from studio.project.planning.her_length import length_in_plan, scene_length_in_brief
from studio.story.chapter import Paragraph
from studio.story.contract import ChapterContract, SceneSpec
from studio.story.lengths import is_only_a_length
from studio.story.told_length import scenes_told
from studio.text.language.packs import same_manner

if TYPE_CHECKING:
    from studio.config.schema import TargetSettings
    from studio.pipeline.chapter.records import Records
    from studio.pipeline.chapter.view import ChapterView


MAX_SCENES = 8
"""The most scenes that a model or code may plan, unless that would make scenes too long."""
MOST_SCENES = 40
"""The most scenes that a chapter is ever divided into unasked."""
_LONGEST = 1.5
"""A chapter longer than this multiple of the scene length needs more than one scene (WRITING 2)."""
_OF_ONE_PIECE = 3
"""How many times the scene length code leaves to a plan of one paragraph as one scene."""
CLIMAX = "climax"
"""The exemplar tag of a scene whose faults weigh more."""
_BULLET = re.compile(r"^\s*(?:[-*+•·]|\d+[.)、])\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。！？])[”’」』）]*")


def plan_units(contract: ChapterContract) -> tuple[str, ...]:
    """Returns the units of a plan in the author's own words and order: its beats, or else its
    objectives. A single one that holds several lines is its lines; one of a single paragraph is
    its sentences. How long it is to be is no unit."""
    units = _units_set_apart(contract)
    units = _sentences(units[0]) if len(units) == 1 else units
    return tuple(unit for unit in units if not is_only_a_length(unit)) or units


def words_of_plan(contract: ChapterContract) -> tuple[str, ...]:
    """Returns what the author wants told in a chapter, as it stands in its plan."""
    return (*contract.objectives, *contract.beats, *(scene.purpose for scene in contract.scenes))


def _units_set_apart(contract: ChapterContract) -> tuple[str, ...]:
    """Returns the units that the author set apart herself: a paragraph is one."""
    units = tuple(filter(None, map(str.strip, contract.beats or contract.objectives)))
    if len(units) != 1:
        return units
    lines = [_BULLET.sub("", line).strip() for line in units[0].splitlines()]
    lines = [line for line in lines if line]
    return tuple(lines) if len(lines) > 1 else units


def scenes_in_plan(contract: ChapterContract) -> int:
    """Returns how many scenes a plan itself sets apart. A paragraph is one, for its sentences are
    no scenes: some of them say what somebody believes, or why."""
    return max(1, sum(not is_only_a_length(unit) for unit in _units_set_apart(contract)))


def units_joined(contract: ChapterContract, units: Iterable[str]) -> str:
    """Joins neighbouring units as they stand in the plan: lines remain lines, the sentences of a
    paragraph remain one (without spaces in Chinese)."""
    own = contract.beats or contract.objectives
    if len(own) > 1 or "\n" in own[0].strip():
        return "\n".join(units)
    return re.sub(r"([。！？][”’」』）]*) ", r"\1", " ".join(units))


def _sentences(words: str) -> tuple[str, ...]:
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(words)), len(words)]
    return tuple(piece for a, b in pairwise(ends) if (piece := words[a:b].strip()))


def divide_plan(
    contract: ChapterContract, scene_length: int, chapter_length: int, direction: str = ""
) -> tuple[SceneSpec, ...]:
    """Returns the scenes of a chapter: as given, or the units of its plan in neighbouring groups of
    nearly equal size, as many as she says in the plan or in `direction`. A unit belongs to exactly
    one scene; none is divided or told twice. A plan of one paragraph is one scene; only for a
    chapter too long for that are its sentences grouped, at least two a scene.

    Lengths are characters for ko and zh and words for en. The result depends on the arguments
    alone.
    """
    scenes = contract.scenes
    if not scenes:
        units = plan_units(contract) or (contract.title,)
        wanted = chapter_target(contract, chapter_length) / max(1, scene_length)
        if (hers := scenes_of_hers(contract, direction)) is not None:
            count = min(hers, len(units))
        elif scenes_in_plan(contract) == 1:
            count = min(ceil(wanted / _OF_ONE_PIECE), len(units) // 2)
        else:
            count = min(round(wanted), len(units))
        count = max(1, min(count, MOST_SCENES))
        scenes = tuple(
            SceneSpec(number=number, purpose=units_joined(contract, group))
            for number, group in enumerate(_clusters(units, count), start=1)
        )
    return complete(scenes, contract, chapter_length)


def complete(
    scenes: Sequence[SceneSpec], contract: ChapterContract, chapter_length: int
) -> tuple[SceneSpec, ...]:
    """Returns scenes with what the chapter's plan says for all of them: the point of view, the
    place, and a share of the length. A scene that does not say how it begins takes the feeling in
    which the scene before ends, if that is said."""
    share = max(1, chapter_target(contract, chapter_length) // len(scenes))
    completed: list[SceneSpec] = []
    for scene in scenes:
        before = completed[-1] if completed else None
        changes: dict[str, object] = {}
        if scene.pov is None and contract.pov is not None:
            changes["pov"] = contract.pov
        if scene.location is None and contract.location is not None:
            changes["location"] = contract.location
        if len(scenes) == 1 and not scene.characters:
            changes["characters"] = contract.characters
        if before is not None and not scene.entry_emotion:
            changes["entry_emotion"] = before.exit_emotion
        if scene.target_length is None:
            changes["target_length"] = share
        completed.append(scene.model_copy(update=changes))
    return tuple(completed)


def chapter_target(contract: ChapterContract, chapter_length: int) -> int:
    """Returns the length a chapter is to have: its plan's own, or else the novel's."""
    return contract.target_length or chapter_length


def has_breaks(view: ChapterView) -> bool:
    """Whether a mark stands between the scenes of a chapter; those of a serial join (SERIAL 3)."""
    return view.settings.novel.form != "serial"


def scenes_of_hers(contract: ChapterContract, direction: str) -> int | None:
    """Returns how many scenes the author wants a chapter to have; None where she does not say."""
    return scenes_told((direction, *words_of_plan(contract)))


def scenes_needed(contract: ChapterContract, targets: TargetSettings, direction: str = "") -> int:
    """Returns how many scenes a chapter needs: as many as she says, else so many that none is too
    long; 1 for a short chapter."""
    if (hers := scenes_of_hers(contract, direction)) is not None:
        return hers
    length = chapter_target(contract, targets.chapter_length)
    if length <= _LONGEST * targets.scene_length:
        return 1
    return max(2, round(length / targets.scene_length))


def most_scenes(contract: ChapterContract, targets: TargetSettings) -> int:
    """Returns the most scenes a chapter may be divided into."""
    length = chapter_target(contract, targets.chapter_length)
    return max(MAX_SCENES, min(ceil(length / targets.scene_length), MOST_SCENES))


def _clusters(units: Sequence[str], count: int) -> list[Sequence[str]]:
    bounds = [round(i * len(units) / count) for i in range(count + 1)]
    return [units[a:b] for a, b in pairwise(bounds)]


def scene_specs(view: ChapterView) -> tuple[SceneSpec, ...]:
    """Returns the scenes that are drafted; see `specs_in_force`."""
    return specs_in_force(view.contract, view.records, view.lengths, view.direction)


def specs_in_force(
    contract: ChapterContract, records: Records, targets: TargetSettings, direction: str = ""
) -> tuple[SceneSpec, ...]:
    """Returns the scenes as a model divided the plan for this attempt, else those of the plan.
    Scenes that are not begun follow an edit of the plan since."""
    division = records.division
    if division is None or contract.scenes:
        return divide_plan(contract, targets.scene_length, targets.chapter_length, direction)
    units = plan_units(contract)
    if not division.units or division.units == units:
        return division.scenes
    begun = begun_scenes(records)
    scenes = division.follow(units, begun, partial(units_joined, contract)) if begun else []
    if not division.shares or not scenes:
        return divide_plan(contract, targets.scene_length, targets.chapter_length, direction)
    return complete(scenes, contract, targets.chapter_length)


def begun_scenes(records: Records) -> frozenset[int]:
    """Returns the numbers of the scenes that have words."""
    return frozenset(map(int, records.drafted_scenes))


def planned_length(view: ChapterView, scene: int) -> int:
    """Returns the length that a planned scene is to have, in words or characters: its plan's, else
    a scene's according to the brief of the book, else its share of the chapter's."""
    plan = view.contract
    is_planned = plan.target_length or any(spec.target_length for spec in plan.scenes)
    if not (is_planned or length_in_plan((view.direction, *words_of_plan(plan)), view.settings)):
        hers = scene_length_in_brief(view.store, view.settings)
        if hers is not None:
            return hers
    own = next((spec.target_length for spec in scene_specs(view) if spec.number == scene), None)
    return max(1, own or view.lengths.scene_length)


def scene_spec(view: ChapterView, paragraph: Paragraph) -> SceneSpec | None:
    """Returns the plan of the scene that a paragraph of the text is in; None if the text is divided
    into other scenes than the plan."""
    plan, scenes = scene_specs(view), view.scenes
    if scenes.count != len(plan):
        return None
    number = scenes.number_of(paragraph)
    return next((spec for spec in plan if spec.number == number), None)


def climax_paragraphs(view: ChapterView) -> frozenset[tuple[int, int]]:
    """Returns scene and number of the paragraphs in scenes whose faults weigh more. A text divided
    into other scenes than the plan has none, unless the contract itself names them."""
    plan, scenes = scene_specs(view), view.scenes
    if not view.contract.scenes and len(plan) != scenes.count:
        return frozenset()
    tags = {spec.number: spec.exemplar_tags for spec in plan}
    return frozenset(
        (p.scene, p.number)
        for scene in scenes.scenes
        if any(same_manner(CLIMAX, tag) for tag in tags.get(scene.number, ()))
        for p in scene.paragraphs
    )
