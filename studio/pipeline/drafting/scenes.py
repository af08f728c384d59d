"""The scenes of a chapter: as its contract gives them, or derived from its beats by code (seed
A1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from math import ceil

from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.scene_hints import SceneHints, hints_of
from studio.story.chapter import Chapter
from studio.story.contract import ChapterContract, SceneSpec
from studio.text.language.scene_cues import TURN, scene_cues

MAX_SCENES = 8
"""The most scenes that a model or code may plan, unless that would make scenes too long."""
MOST_BY_CODE = 40
_LONGEST = 1.5
"""The longest a scene may be asked for, as a multiple of the scene length (BOOK 7)."""
FEWEST_SENSES = 2
"""Sensory anchors of a scene; at least one is not sight (A4)."""
_SENSES = (("sound", "touch"), ("smell", "sight"), ("touch", "smell"), ("sight", "sound"))
"""Anchors assigned in turn to scenes that name none, so that neighbours do not share the same
two."""
_LENGTHS = (0.5, 1.5)
"""The range of the sum of scene lengths, as a share of the chapter's length."""
CLIMAX = "climax"
"""The exemplar tag of a scene whose faults weigh more."""


def plan_scenes(
    contract: ChapterContract,
    scene_length: int,
    chapter_length: int,
    hints: SceneHints | None = None,
) -> tuple[SceneSpec, ...]:
    """Returns the scenes of a chapter: as given, or derived from its beats, or from its objectives.

    Lengths are characters for ko and zh and words for en; no scene is asked for at more than half
    as much again as `scene_length`, unless its plan says so itself. The result depends on the
    arguments alone. Emotions chain: a scene that does not say how it begins takes the emotion that
    the scene before ended in.
    """
    scenes = contract.scenes or _from_steps(
        contract, scene_length, chapter_length, hints or SceneHints(scene_cues("en"))
    )
    return complete(scenes, contract, scene_length, chapter_length)


def complete(
    scenes: Sequence[SceneSpec], contract: ChapterContract, scene_length: int, chapter_length: int
) -> tuple[SceneSpec, ...]:
    """Returns scenes with their gaps filled: point of view and people from the contract, emotion
    and place from the end of the scene before, senses, and a share of the chapter's length."""
    share = max(1, (contract.target_length or chapter_length) // len(scenes))
    share = min(share, round(_LONGEST * scene_length))
    planned: list[SceneSpec] = []
    for scene in scenes:
        before = planned[-1] if planned else None
        planned.append(_completed(scene, contract, before, share))
    return tuple(planned)


def _count(steps: int, length: int, scene_length: int) -> int:
    """Returns how many scenes tell that many beats: a few beats per scene, unless that would
    make scenes too long; then as many scenes as the scene length asks for."""
    ideal = round(length / max(1, scene_length))
    fewest = ceil(length / (_LONGEST * max(1, scene_length)))
    count = min(ideal, steps, MAX_SCENES)
    return max(1, count if count >= fewest else min(max(ideal, fewest), MOST_BY_CODE))


def most_scenes(contract: ChapterContract, scene_length: int, chapter_length: int) -> int:
    """Returns the most scenes a chapter may be planned in so that none has to be too long."""
    length = contract.target_length or chapter_length
    return max(MAX_SCENES, min(ceil(length / scene_length), MOST_BY_CODE))


def _from_steps(
    contract: ChapterContract, scene_length: int, chapter_length: int, hints: SceneHints
) -> tuple[SceneSpec, ...]:
    """Clusters beats (or objectives) into neighbouring groups of nearly equal size. If there are
    fewer beats than scenes, each is told in several scenes, phase by phase."""
    steps = contract.beats or contract.objectives
    count = _count(len(steps), contract.target_length or chapter_length, scene_length)
    if count > len(steps):
        groups = _phased(steps, count, hints)
    else:
        clusters = _clusters(steps, count)
        groups = [(" ".join(_sentence(s) for s in c), c[0], c[-1]) for c in clusters]
    scenes: list[SceneSpec] = []
    people = len({*contract.characters, *([contract.pov] if contract.pov else [])})
    for number, (purpose, _, peak) in enumerate(groups, start=1):
        scene = SceneSpec(
            number=number,
            purpose=purpose,
            peak_moment=peak,
            transition_from=groups[number - 2][2] if number > 1 else "",
            transition_to=groups[number][1] if number < count else "",
            exemplar_tags=_tags(number, count, contract),
        )
        before = scenes[-1] if scenes else None
        scenes.append(hints.planned(scene, before, number == count, people))
    return tuple(scenes)


def _phased(steps: Sequence[str], count: int, hints: SceneHints) -> list[tuple[str, str, str]]:
    """Returns the purpose, first words and peak of each scene where a step takes more than one."""
    bounds = [round(i * count / len(steps)) for i in range(len(steps) + 1)]
    groups = []
    for step, (first, end) in zip(steps, pairwise(bounds), strict=True):
        if end - first == 1:
            groups.append((_sentence(step), step, step))
            continue
        for at, name in hints.cues.phase_names(end - first):
            peak = step if at == TURN else name
            groups.append((f"{_sentence(step)} ({name})", f"{step} ({name})", peak))
    return groups


def _tags(number: int, count: int, contract: ChapterContract) -> tuple[str, ...]:
    """Returns the likely tags of a scene without any: the first grounds, the last peaks, and
    those between are dialogue if more than one person is there."""
    if number == 1:
        return ("description",)
    if number == count:
        return (CLIMAX,)
    return ("dialogue",) if len(contract.characters) > 1 else ("introspection",)


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
    if not scene.sensory_anchors:
        changes["sensory_anchors"] = _SENSES[(scene.number - 1) % len(_SENSES)]
    if not scene.exemplar_tags and scene.dialogue_goals:
        changes["exemplar_tags"] = ("dialogue",)
    if scene.target_length is None:
        changes["target_length"] = share
    return scene.model_copy(update=changes)


def plan_faults(
    scenes: Sequence[SceneSpec],
    contract: ChapterContract,
    chapter_length: int,
    character_slugs: Collection[str],
    most_scenes: int = MAX_SCENES,
) -> list[str]:
    """Returns why scenes that only code or a model planned cannot be used, one sentence each.

    `character_slugs` are those of all characters. What plan_scenes derives from beats has no fault.
    """
    most = max(MAX_SCENES, most_scenes)
    if not 1 <= len(scenes) <= most:
        return [f"it has {len(scenes)} scenes; a chapter has 1 to {most}"]
    faults = [
        fault for scene in scenes for fault in _scene_faults(scene, contract, character_slugs)
    ]
    purposes = [scene.purpose.strip().lower() for scene in scenes]
    faults += [f"two scenes have the purpose {p!r}" for p in set(purposes) if purposes.count(p) > 1]
    for before, after in pairwise(scenes):
        ends, begins = before.exit_emotion.strip().lower(), after.entry_emotion.strip().lower()
        if ends and begins and ends != begins and not after.transition_from.strip():
            faults.append(
                f"scene {after.number} begins {after.entry_emotion} where scene {before.number}"
                f" ended {before.exit_emotion}, and nothing says what lies between"
            )
    target_length = contract.target_length or chapter_length
    share = sum(scene.target_length or 0 for scene in scenes) / target_length
    if target_length >= len(scenes) and not _LENGTHS[0] <= share <= _LENGTHS[1]:
        faults.append(f"its scenes add up to {share:.0%} of the chapter's length")
    return faults


def _scene_faults(
    scene: SceneSpec, contract: ChapterContract, character_slugs: Collection[str]
) -> list[str]:
    faults = []
    people = {*contract.characters, *character_slugs, contract.pov, None}
    strangers = [slug for slug in (scene.pov, *scene.characters) if slug not in people]
    faults += [f"scene {scene.number} names {slug}, whom nobody knows" for slug in strangers]
    if len(set(scene.sensory_anchors)) < FEWEST_SENSES:
        faults.append(f"scene {scene.number} has fewer than {FEWEST_SENSES} sensory anchors")
    if scene.entry_emotion and scene.entry_emotion == scene.exit_emotion:
        faults.append(f"scene {scene.number} ends as it began ({scene.exit_emotion})")
    return faults


def planned(view: ChapterView) -> tuple[SceneSpec, ...]:
    """Returns the scenes as a model planned them for this attempt, else those the contract
    gives."""
    scenes, targets = view.records.scene_plan, view.settings.targets
    if scenes is not None:
        return scenes
    hints = None if view.contract.scenes else hints_of(view)
    return plan_scenes(view.contract, targets.scene_length, targets.chapter_length, hints)


def people_in(view: ChapterView, scene: int) -> tuple[str, ...]:
    """Returns the slugs of the people the plan has in a scene, the point of view first; empty if
    the text is divided into other scenes than the plan."""
    plan = planned(view)
    if len(view.current.scenes) != len(plan):
        return ()
    return next((those_in(spec) for spec in plan if spec.number == scene), ())


def those_in(scene: SceneSpec) -> tuple[str, ...]:
    """Returns the slugs of the people in a scene, the point of view first."""
    return tuple(dict.fromkeys((*((scene.pov,) if scene.pov else ()), *scene.characters)))


def climax_scenes(view: ChapterView, chapter: Chapter) -> set[int]:
    """Returns the scenes whose faults weigh more. A text divided into other scenes than the plan
    has none, unless the contract itself names them."""
    plan = planned(view)
    if not view.contract.scenes and len(plan) != len(chapter.scenes):
        return set()
    return {scene.number for scene in plan if CLIMAX in scene.exemplar_tags}
