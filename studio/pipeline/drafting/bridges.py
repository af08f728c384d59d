"""The bridges between scenes that the assembly agent proposes for a draft (A6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from studio.messages import said
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.stage import Work
from studio.story.chapter import Chapter
from studio.story.contract import SceneSpec
from studio.text.guard import bridge_guard
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import says_none, split_sections, tidy
from studio.text.prose.segmentation import sentences

_EDGE = 600
"""The most characters of a scene's end or beginning that a bridge stands between."""
_TRIES = ("", "-again")
_REFUSED = " An earlier answer could not be used, because {faults}. Answer in one short paragraph."


class Joint(NamedTuple):
    """A transition into a scene that has at least two of the three breaks."""

    scene: int
    edges: tuple[str, str]
    """The last words before the transition, and the first words after it."""
    gaps: tuple[str, ...]


def joints(view: ChapterView, plan: tuple[SceneSpec, ...], texts: Sequence[str]) -> list[Joint]:
    """Returns the transitions between scenes that a bridge may be proposed for (seed A6)."""
    steps = []
    for before, after in pairwise(plan):
        gaps = bridge_gaps(before, after, view.pack.time_words)
        if len(gaps) >= 2:
            ending = _edge(texts[after.number - 2], view.pack, at_end=True)
            opening = _edge(texts[after.number - 1], view.pack, at_end=False)
            steps.append(Joint(after.number, (ending, opening), gaps))
    return steps


def _edge(text: str, pack: LanguagePack, *, at_end: bool) -> str:
    """Returns the last or the first sentences of a scene, whole, at least one."""
    paragraphs = [paragraph.prose for paragraph in Chapter(text).paragraphs]
    edge: list[str] = []
    room = _EDGE
    for prose in reversed(paragraphs) if at_end else paragraphs:
        spans = sentences(prose, pack)
        pieces = [prose[s.start :] if at_end else prose[: s.end] for s in spans]
        least = not edge
        fitting = [piece for piece in pieces if len(piece) <= room]
        if not fitting and not least:
            break
        piece = max(fitting, key=len) if fitting else min(pieces, key=len, default=prose)
        edge.append(piece)
        room -= len(piece)
        if len(piece) < len(prose):
            break
    return "\n\n".join(reversed(edge) if at_end else edge)


def bridge_gaps(before: SceneSpec, after: SceneSpec, time_words: Sequence[str]) -> tuple[str, ...]:
    """Returns which of the three breaks lie between two scenes: time, place, emotion (seed A6)."""
    gaps: list[str] = []
    transition = f"{before.transition_to} {after.transition_from}".lower()
    if any(word in transition for word in time_words):
        gaps.append("time")
    if before.location and after.location and before.location != after.location:
        gaps.append("place")
    ends, begins = before.exit_emotion.strip().lower(), after.entry_emotion.strip().lower()
    if ends and begins and ends != begins:
        gaps.append("emotion")
    return tuple(gaps)


async def propose_bridge(work: Work, scenes: str, joint: Joint) -> str:
    """Proposes one or two sentences that lead into a scene; empty if a hard cut is better.

    `scenes` lists what the scenes are for. An answer that is more than a bridge is asked for once
    more, then left out with a warning.
    """
    ending, opening = joint.edges
    faults: list[str] = []
    for attempt in _TRIES:
        plea = _REFUSED.format(faults="; ".join(faults)) if faults else ""
        question = bridge_question(scenes, joint, work.run.pack, attempt, plea)
        record = await work.agents.prose(question)
        bridge = tidy(split_sections(record.generated_text).prose)
        if says_none(bridge):
            return ""
        faults = bridge_guard(f"{ending}\n\n{opening}", bridge, work.run.pack)
        if not faults:
            return " ".join(bridge.split())
    work.run.emit.warn(
        said(
            "No bridge into scene {scene} is proposed: what the model wrote cannot stand "
            "there, because {why}.",
            scene=joint.scene,
            why=faults[0],
        )
    )
    return ""


def bridge_question(
    scenes: str, joint: Joint, pack: LanguagePack, attempt: str = "", plea: str = ""
) -> Question:
    """Returns the question to the assembly agent about a transition."""
    ending, opening = joint.edges
    number = joint.scene
    return Question(
        agent="assembly",
        stage="draft",
        what=f"b{number:02d}{attempt}",
        scene=number,
        blocks={
            "scene-list": scenes,
            "around": f"{ending}\n\n[{pack.label('the bridge stands here')}]\n\n{opening}",
            "task": (
                f"Bridge the gap in {' and '.join(joint.gaps)} between scene {number - 1} and"
                f" scene {number} in one or two sentences, or answer NONE.{plea}"
            ),
        },
        max_tokens=400,
    )


def scene_list(plan: Sequence[SceneSpec]) -> str:
    """Returns what the scenes of a chapter are for, one line each."""
    return "\n".join(f"{scene.number}. {scene.purpose}" for scene in plan)
