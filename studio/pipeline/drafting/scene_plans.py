"""The plan of each scene of a chapter: as its contract gives it, by the units of the plan in its
order, or as a model divides them (seed A1, WRITING 2).

Code divides and never invents: feelings, tone, pace, senses, peaks and who is there come from the
author or from a model, and what nobody said is not there.

A model is asked only where the chapter needs more scenes than its plan has units. It divides and
orders the author's units; what it says beyond them is its own and shown as added. A scene it
proposes is kept wherever a careful person could use it; what it leaves out of the plan is put back.
"""

from __future__ import annotations

import re
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from pydantic import ValidationError

from studio.llm.errors import ModelError
from studio.messages import said
from studio.pipeline.chapter.division import Division
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.stage import Sight, Work
from studio.project.planning.her_length import length_in_plan, scene_length_in_brief
from studio.project.planning.names import all_named
from studio.story.chapter import Paragraph
from studio.story.contract import ChapterContract, NamedInScene, SceneSpec
from studio.story.lengths import NO_END, is_only_a_length, length_of_hers, unit_in
from studio.story.review.answers import DecomposedScene, ScenesAnswer
from studio.story.told_length import scenes_told
from studio.text.language.packs import same_manner

if TYPE_CHECKING:
    from studio.config.schema import TargetSettings
    from studio.pipeline.chapter.records import Records


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
_SENTENCE_END = re.compile(rf"(?<=[.!?…]){NO_END}[\"'”’)]*\s+|(?<=[。！？])[”’」』）]*")


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
    return in_one_line(units)


def in_one_line(units: Iterable[str]) -> str:
    """Joins sentences to a paragraph, without spaces in Chinese."""
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
            for number, group in enumerate(in_groups(units, count), start=1)
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
        completed.append(scene.copy_with(**changes))
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


def in_groups(units: Sequence[str], count: int) -> list[Sequence[str]]:
    """Returns neighbouring units in so many groups of nearly equal size."""
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


async def plan_chapter(work: Work) -> tuple[SceneSpec, ...]:
    """Returns the scenes to draft, divided by a model once where that is wanted and needed."""
    run = work.run
    if not to_be_planned(run):
        return scene_specs(run)
    if not run.gateway.provider.profile.extracts:
        return scene_specs(run)
    division, fault = await _proposal(work)
    if fault:
        run.emit.warn(
            said(
                "The plan of scenes was not used: {why}. They follow from the chapter's plan.",
                why=fault,
            )
        )
        division = Division(scene_specs(run), plan_units(run.contract))
    run.record(run.records.record_division(division))
    return division.scenes


def to_be_planned(view: ChapterView) -> bool:
    """Whether a model is to divide the chapter and has not done so yet: its length asks for
    several scenes, or its author does, and its plan has no unit for each. A plan that was edited
    before any scene was begun is divided again."""
    if view.settings.generation.scenes != "model" or view.contract.scenes:
        return False
    hers = _scenes_of_hers(view)
    if view.settings.novel.form == "serial" and hers is None and not _is_asked_for(view):
        return False
    division = view.records.division
    if view.lap or (division is not None and not _is_stale(view, division)):
        return False
    needed = hers or scenes_needed(view.contract, view.lengths, view.direction)
    return needed > 1 and scenes_in_plan(view.contract) < needed


def _scenes_of_hers(view: ChapterView) -> int | None:
    """Returns how many scenes the author wants: of this chapter, else, as her brief says, of any;
    None where she does not say."""
    own = scenes_of_hers(view.contract, view.direction)
    return own if own is not None else scenes_told((view.store.brief(),))


def _is_asked_for(view: ChapterView) -> bool:
    """Whether the novel itself says that a model divides its chapters."""
    return view.settings.provenance("generation.scenes") in ("studio.toml", "command line")


def _is_stale(view: ChapterView, division: Division) -> bool:
    """Whether the plan was edited after it was divided, and nothing is drafted yet."""
    is_edited = bool(division.units) and division.units != plan_units(view.contract)
    return is_edited and not begun_scenes(view.records) and view.text is None


async def _proposal(work: Work) -> tuple[Division, str]:
    """Returns the chapter as a model divided it, or the reason why that cannot be used."""
    run, none = work.run, Division(())
    try:
        answer, _ = await work.agents.structure(plan_question(work), ScenesAnswer)
    except ModelError as error:
        if error.error_kind not in ("unusable", "refusal", "empty", "cut", "runaway"):
            raise
        return none, error.problem.message.rstrip(".")
    units = range(1, len(plan_units(run.contract)) + 1)
    scenes = [s for s in answer.scenes if s.purpose.strip() or any(n in units for n in s.units)]
    most = most_scenes(run.contract, run.lengths)
    if not 1 <= len(scenes) <= most:
        return none, f"it has {len(scenes)} scenes; a chapter has 1 to {most}"
    try:
        division = _division(scenes, run, work.prompt_blocks)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return none, f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    whole = complete(division.scenes, run.contract, run.lengths.chapter_length)
    return division._replace(scenes=whole), ""


def _division(
    scenes: Sequence[DecomposedScene], view: ChapterView, prompt_blocks: PromptBlocks
) -> Division:
    """Returns the scenes in the model's order, with the author's own words for the units that one
    scene tells alone; where several share a unit, each says in the model's words what it tells. A
    single unit is about the whole chapter: no scene has it to itself."""
    units = plan_units(view.contract)
    is_shared = len(units) == 1 and all(scene.purpose.strip() for scene in scenes)
    shares = shared_out(len(units), [[1] if is_shared else scene.units for scene in scenes])
    owners = Counter(unit for share in shares for unit in share)
    specs, additions = [], []
    for number, (scene, share) in enumerate(zip(scenes, shares, strict=True), start=1):
        own = units_joined(view.contract, (units[n - 1] for n in share if owners[n] == 1))
        is_whole = bool(share) and all(owners[n] == 1 for n in share)
        added = "" if is_whole else scene.purpose.strip()
        purpose = "\n".join(filter(None, (own, added))) or units[share[0] - 1]
        specs.append(_spec(number, scene, purpose, prompt_blocks))
        additions.append(added)
    return Division(tuple(specs), units, tuple(map(tuple, shares)), tuple(additions))


def shared_out(units: int, wanted: Iterable[Iterable[int]]) -> list[list[int]]:
    """Returns the units (from 1) that each scene tells: those it names, and any that no scene names
    with the one before it, so that none of the plan is lost."""
    shares = [sorted({n for n in numbers if 1 <= n <= units}) for numbers in wanted]
    for unit in range(1, units + 1):
        if not any(unit in share for share in shares):
            share = next((s for s in reversed(shares) if unit - 1 in s), shares[0])
            insort(share, unit)
    return shares


def _spec(
    number: int, scene: DecomposedScene, purpose: str, prompt_blocks: PromptBlocks
) -> SceneSpec:
    fields = {name: value for name, value in scene.model_dump().items() if value}
    fields.pop("units", None)
    slugs = {name: all_named(name, prompt_blocks.slug_of) for name in scene.characters}
    pov, place = scene.pov or "", scene.location or ""
    named = NamedInScene(
        pov="" if prompt_blocks.slug_of(pov) else pov.strip(),
        location="" if prompt_blocks.slug_of(place) else place.strip(),
        characters=tuple(name.strip() for name, own in slugs.items() if not own and name.strip()),
    )
    return SceneSpec.model_validate(
        {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
        | {
            "number": number,
            "purpose": purpose,
            "pov": prompt_blocks.slug_of(pov),
            "location": prompt_blocks.slug_of(place),
            "characters": tuple(dict.fromkeys(slug for own in slugs.values() for slug in own)),
            "by_name": None if named == NamedInScene() else named,
        }
    )


def _tags(work: Sight) -> list[str]:
    """Returns the kinds of scene by which passages of the library are chosen, but for the climax,
    which is told in every book."""
    kinds = {exemplar.meta.scene_type for exemplar in work.prompt_blocks.exemplars}
    return sorted(kinds - {"", CLIMAX})


_OF_SEVERAL = (
    "Every number is told; one that is too much for a scene, or is about more than one, is shared"
    " by scenes that follow each other, and each says in `purpose` which part it tells; a scene she"
    " has no words for has no numbers and says its `purpose`."
)
_OF_ALL = (
    "Number 1 is about the whole chapter: each scene says in `purpose` which part of it it tells,"
    " and nothing that a later one tells."
)


def plan_question(work: Sight) -> Question:
    """Returns the question to the plot architect."""
    view = work.run
    targets, unit = view.lengths, unit_in(view.settings)
    units = plan_units(view.contract)
    whole = f"{chapter_target(view.contract, targets.chapter_length)}"
    needed = _scenes_of_hers(view) or scenes_needed(view.contract, targets)
    if (hers := _scenes_of_hers(view)) is not None:
        many, ours = f"Exactly {hers} scenes, as the author wants", f"{whole} {unit} together"
    else:
        many = f"About {needed} scenes, at most {most_scenes(view.contract, targets)}"
        ours = f"{targets.scene_length} {unit} each, {whole} together"
    length = length_of_hers((view.direction, *words_of_plan(view.contract)), ours)
    tags = f"`{CLIMAX}` for the scene in which the chapter comes to a head"
    has_ids = work.prompt_blocks.bible.entries
    by_id = "their ids; where there is none, by " if has_ids else ""
    rule = _OF_SEVERAL if len(units) > 1 else _OF_ALL
    if kinds := _tags(work):
        tags += f"; beside it, as far as they fit: {', '.join(kinds)}"
    return Question(
        agent="plot-architect",
        stage="draft",
        what="plan",
        task_kind=f"scenes {'hers' if len(units) >= needed else 'steps'}",
        blocks={
            "direction": view.direction,
            "contract": work.prompt_blocks.chapter_plan(units),
            "outline": "",
            "plan-units": "\n".join(f"{n}. {words}" for n, words in enumerate(units, start=1)),
            "task": (
                f"Divide chapter {view.chapter} into scenes: an object"
                " with the field `scenes`, in order. `plan-units` is what the author wants told, in"
                f" her words: `units` of a scene are the numbers it tells. {rule} {many}: {length}."
                f" People and places by {by_id}the name they have in the book, and no id of your"
                f" own. `exemplar_tags`: {tags}. Leave empty what the scene does not need."
            ),
        },
    )
