"""From a chapter's contract to the plan of its scenes, without a model (seed A1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from studio.story.contract import ChapterContract, SceneSpec

MAX_SCENES = 8


def plan_scenes(
    contract: ChapterContract, scene_length: int, chapter_length: int
) -> tuple[SceneSpec, ...]:
    """The scenes of a chapter: as given, or made from its beats, or from its objectives.

    Lengths are characters for ko and zh and words for en. The result depends
    on the arguments alone. Emotions chain: a scene that does not say how it
    begins begins as the one before it ended.
    """
    scenes = contract.scenes or _from_steps(contract, scene_length, chapter_length)
    share = max(1, (contract.target_length or chapter_length) // len(scenes))
    planned: list[SceneSpec] = []
    for scene in scenes:
        before = planned[-1] if planned else None
        planned.append(_completed(scene, contract, before, share))
    return tuple(planned)


def _from_steps(
    contract: ChapterContract, scene_length: int, chapter_length: int
) -> tuple[SceneSpec, ...]:
    """Beats (or objectives) clustered into neighbouring groups of nearly equal size."""
    steps = contract.beats or contract.objectives
    wanted = round((contract.target_length or chapter_length) / max(1, scene_length))
    count = max(1, min(wanted, len(steps), MAX_SCENES))
    groups = _clusters(steps, count)
    return tuple(
        SceneSpec(
            number=number,
            purpose=" ".join(_sentence(step) for step in group),
            peak_moment=group[-1],
            transition_from=groups[number - 2][-1] if number > 1 else "",
            transition_to=groups[number][0] if number < count else "",
        )
        for number, group in enumerate(groups, start=1)
    )


def _clusters(steps: Sequence[str], count: int) -> list[Sequence[str]]:
    bounds = [round(i * len(steps) / count) for i in range(count + 1)]
    return [steps[a:b] for a, b in pairwise(bounds)]


def _sentence(step: str) -> str:
    step = step.strip()
    return step if step.endswith((".", "!", "?", "。", "！", "？", "…")) else step + "."


def _completed(
    scene: SceneSpec, contract: ChapterContract, before: SceneSpec | None, share: int
) -> SceneSpec:
    changes: dict[str, object] = {}
    if scene.pov is None and contract.pov is not None:
        changes["pov"] = contract.pov
    if not scene.characters:
        changes["characters"] = contract.characters
    if before is not None and not scene.entry_emotion:
        changes["entry_emotion"] = before.exit_emotion
    if before is not None and scene.location is None:
        changes["location"] = before.location
    if scene.target_length is None:
        changes["target_length"] = share
    return scene.model_copy(update=changes)


def bridge_gaps(before: SceneSpec, after: SceneSpec, time_words: Sequence[str]) -> tuple[str, ...]:
    """Which of the three breaks lie between two scenes: time, place, emotion (seed A6)."""
    gaps: list[str] = []
    told = f"{before.transition_to} {after.transition_from}".lower()
    if any(word in told for word in time_words):
        gaps.append("time")
    if before.location and after.location and before.location != after.location:
        gaps.append("place")
    ends, begins = before.exit_emotion.strip().lower(), after.entry_emotion.strip().lower()
    if ends and begins and ends != begins:
        gaps.append("emotion")
    return tuple(gaps)
