"""Dividing a chapter into scenes with a model's help (seed A1, WRITING 2).

A model is asked only where the chapter needs more scenes than its plan has units. It divides and
orders the author's units; what it says beyond them is its own and shown as added. A scene it
proposes is kept wherever a careful person could use it; what it leaves out of the plan is put back.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import ValidationError

from studio.llm.errors import ModelError
from studio.messages import said
from studio.pipeline.chapter.division import Division
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.scene_plans import (
    CLIMAX,
    begun_scenes,
    chapter_target,
    complete,
    most_scenes,
    plan_units,
    scene_specs,
    scenes_in_plan,
    scenes_needed,
    scenes_of_hers,
    units_joined,
    words_of_plan,
)
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.stage import Sight, Work
from studio.story.contract import NamedInScene, SceneSpec
from studio.story.lengths import length_of_hers, unit_in
from studio.story.review.answers import DecomposedScene, ScenesAnswer
from studio.story.told_length import scenes_told


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
    scene tells alone; where several share a unit, each says in the model's words what it tells."""
    units = plan_units(view.contract)
    shares = shared_out(len(units), [scene.units for scene in scenes])
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
    slugs = {name: prompt_blocks.slug_of(name) for name in scene.characters}
    pov, place = scene.pov or "", scene.location or ""
    named = NamedInScene(
        pov="" if prompt_blocks.slug_of(pov) else pov.strip(),
        location="" if prompt_blocks.slug_of(place) else place.strip(),
        characters=tuple(name.strip() for name, slug in slugs.items() if not slug and name.strip()),
    )
    return SceneSpec.model_validate(
        {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
        | {
            "number": number,
            "purpose": purpose,
            "pov": prompt_blocks.slug_of(pov),
            "location": prompt_blocks.slug_of(place),
            "characters": tuple(dict.fromkeys(slug for slug in slugs.values() if slug)),
            "by_name": None if named == NamedInScene() else named,
        }
    )


def _tags(work: Sight) -> list[str]:
    """Returns the kinds of scene by which passages of the library are chosen."""
    kinds = {exemplar.meta.scene_type for exemplar in work.prompt_blocks.exemplars}
    return [CLIMAX, *sorted(kinds - {"", CLIMAX})]


def plan_question(work: Sight) -> Question:
    """Returns the question to the plot architect."""
    view = work.run
    targets, unit = view.lengths, unit_in(view.settings)
    units = plan_units(view.contract)
    whole = f"{chapter_target(view.contract, targets.chapter_length)}"
    if (hers := _scenes_of_hers(view)) is not None:
        many, ours = f"Exactly {hers} scenes, as the author wants", f"{whole} {unit} together"
    else:
        needed, most = scenes_needed(view.contract, targets), most_scenes(view.contract, targets)
        many = f"About {needed} scenes, at most {most}"
        ours = f"{targets.scene_length} {unit} each, {whole} together"
    length = length_of_hers((view.direction, *words_of_plan(view.contract)), ours)
    return Question(
        agent="plot-architect",
        stage="draft",
        what="plan",
        task_kind="scenes",
        blocks={
            "direction": view.direction,
            "contract": work.prompt_blocks.chapter_plan(units),
            "outline": "",
            "plan-units": "\n".join(f"{n}. {words}" for n, words in enumerate(units, start=1)),
            "task": (
                f"Divide chapter {view.chapter} into scenes: an object"
                " with the field `scenes`, in order. `plan-units` is what the author wants told, in"
                " her words: `units` of a scene are the numbers it tells. Every number is told; one"
                " that is too much for a scene may be shared by scenes that follow each other, and"
                " each says in `purpose` which part it tells; a scene she has no words for has no"
                f" numbers and says its `purpose`. {many}: {length}."
                " People and places by their ids or names. `exemplar_tags`, as far as they fit:"
                f" {', '.join(_tags(work))}. Leave empty what the scene does not need."
            ),
        },
    )
