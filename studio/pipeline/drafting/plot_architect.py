"""Scene planning with a model's help, if the writer asked for it (seed A1).

The plot architect proposes; its scenes are completed and checked by the same rules as the plan that
code makes. If they fail, the fault is named and code plans instead.
"""

from __future__ import annotations

from pydantic import ValidationError

from studio.llm.errors import ModelError
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.scenes import (
    complete,
    most_scenes,
    plan_faults,
    planned,
)
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.stage import Work
from studio.story.contract import SceneSpec
from studio.story.novel import unit_of
from studio.story.review.answers import DecomposedScene, ScenesAnswer

_MOST_SHOWN = 3


async def plan_chapter(work: Work) -> tuple[SceneSpec, ...]:
    """Returns the scenes to draft, planned by a model once if the writer wants that and gave
    none."""
    run = work.run
    if not to_be_planned(run):
        return planned(run)
    if not run.gateway.provider.profile.extracts:
        run.emit.warn("This model cannot plan scenes; they follow from the chapter's plan alone.")
        return planned(run)
    scenes, fault = await _proposal(work)
    if fault:
        run.emit.warn(
            f"The plan of scenes was not used: {fault}. They follow from the chapter's plan."
        )
        scenes = planned(run)
    run.record(run.records.planned(scenes))
    return scenes


def to_be_planned(view: ChapterView) -> bool:
    """Whether a model is wanted to plan the scenes and has not done so yet."""
    by_model = view.settings.generation.decompose == "model" and not view.contract.scenes
    return by_model and not view.lap and view.records.scene_plan is None


async def _proposal(work: Work) -> tuple[tuple[SceneSpec, ...], str]:
    """Returns a model's scenes, or the reason why they cannot be used."""
    run = work.run
    try:
        answer, _ = await work.agents.structured(plan_question(run), ScenesAnswer)
    except ModelError as error:
        if error.error_kind not in ("unusable", "refusal", "empty", "cut", "runaway"):
            raise
        return (), error.problem.message.rstrip(".")
    if not answer.scenes:
        return (), "it has no scenes"
    try:
        specs = [_spec(number, scene) for number, scene in enumerate(answer.scenes, start=1)]
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return (), f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    length = run.settings.targets.chapter_length
    scenes = complete(specs, run.contract, run.settings.targets.scene_length, length)
    most = most_scenes(run.contract, run.settings.targets.scene_length, length)
    faults = plan_faults(scenes, run.contract, length, work.material.characters, most)
    return scenes, "; ".join(faults[:_MOST_SHOWN])


def _spec(number: int, scene: DecomposedScene) -> SceneSpec:
    fields = {name: value for name, value in scene.model_dump().items() if value}
    return SceneSpec.model_validate(
        {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}
        | {"number": number, "purpose": scene.purpose.strip()}
    )


def plan_question(view: ChapterView) -> Question:
    """Returns the question to the plot architect."""
    targets, unit = view.settings.targets, unit_of(view.settings.novel.language)
    length = view.contract.target_length or targets.chapter_length
    most = most_scenes(view.contract, targets.scene_length, targets.chapter_length)
    return Question(
        agent="plot-architect",
        stage="draft",
        what="plan",
        blocks={
            "direction": view.direction,
            "task": (
                f"Break chapter {view.chapter}, \u201c{view.contract.title}\u201d, into scenes: an"
                " object with the field `scenes`, in order. Every beat and objective of the"
                f" contract is told once. At most {most} scenes, about"
                f" {targets.scene_length} {unit} each, {length} together. People and places by"
                " their ids; two or three sensory anchors a scene, not sight alone."
            ),
        },
    )
