"""The scenes a chapter is drafted in: planned once, the same for every stage and every restart."""

from __future__ import annotations

import orjson

from studio.pipeline.decompose import CLIMAX, plan_scenes
from studio.pipeline.run import ChapterRun
from studio.story.chapter import Chapter
from studio.story.checkpoint import StageRecord
from studio.story.contract import SceneSpec
from studio.story.document import to_jsonable

PLAN = "scene-plan"
"""The record of a plan that a model proposed: its notes hold a scene each."""


def planned(run: ChapterRun) -> tuple[SceneSpec, ...]:
    """The scenes as a model planned them for this attempt, else those the contract gives."""
    record = run.find_record(PLAN)
    if record is not None:
        return tuple(SceneSpec.model_validate(orjson.loads(note)) for note in record.notes)
    targets = run.settings.targets
    return plan_scenes(run.contract, targets.scene_length, targets.chapter_length)


def has_plan(run: ChapterRun) -> bool:
    """Whether the scenes of this attempt were settled already."""
    return run.find_record(PLAN) is not None


def keep_plan(run: ChapterRun, scenes: tuple[SceneSpec, ...]) -> None:
    """Remembers a model's plan for this attempt at the chapter."""
    notes = tuple(orjson.dumps(to_jsonable(scene)).decode() for scene in scenes)
    run.record(StageRecord(stage=PLAN, notes=notes))


def climax_scenes(run: ChapterRun, chapter: Chapter) -> set[int]:
    """Scenes whose faults weigh more. A text in other scenes than the plan's has none, unless
    the contract itself names them."""
    plan = planned(run)
    if not run.contract.scenes and len(plan) != len(chapter.scenes):
        return set()
    return {scene.number for scene in plan if CLIMAX in scene.exemplar_tags}
