"""Prewriter mode: one agent reads everything and writes a brief, another writes from the brief.

The writer's prompt holds the brief and the last words of the story, none of what
the brief was made from (seed C1). Both are one generation: it has one `finish`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import Phase
from studio.pipeline.prompting.agent_call import PREWRITER, Question
from studio.pipeline.stage import Sight
from studio.story.records import CallRecord

BRIEFED = ("craft", "previous-tail", "writing-brief", "notes", "task")
"""What the writer sees besides its own text: nothing that the brief stands for, but the faults of
an earlier attempt and the author's wishes in her own words."""
_TASK = (
    "Prepare scene {scene} of chapter {chapter}, “{title}”: the author wants to {wish}."
    " Answer with the brief."
)


_PASSAGE_TASK = "Prepare this task for a writer; answer with the brief and no prose. {asked}"


def prewrites(view: ChapterView) -> bool:
    """Whether a brief comes before each scene."""
    return _wants_briefs(view) and not view.gateway.provider.profile.short_prompts


def too_small_for_a_brief(view: ChapterView) -> bool:
    """Whether the writer wants briefs from a model that could not follow one."""
    return _wants_briefs(view) and view.gateway.provider.profile.short_prompts


def _wants_briefs(view: ChapterView) -> bool:
    return view.settings.generation.mode == "prewriter"


def brief_question(view: ChapterView, drafting: Question) -> Question:
    """The prewriter's call: all that the drafter would be given, and another task."""
    task = _planning_request(view, drafting)
    order = None
    if "passage" in (drafting.blocks or {}):
        order = (*(name for name in drafting.order or () if name != "task"), "task")
    return Question(
        agent=PREWRITER,
        stage=drafting.stage,
        what=f"{drafting.what}-brief",
        scene=drafting.scene,
        blocks={**(drafting.blocks or {}), "task": task},
        exemplars=drafting.exemplars,
        present=drafting.present,
        location=drafting.location,
        steps=max(1, view.settings.generation.max_steps // 2),
        order=order,
        mode=drafting.mode,
    )


def _planning_request(view: ChapterView, drafting: Question) -> str:
    """What the brief is for, by what is done to the story (F10)."""
    if drafting.mode != "generate":
        asked = (drafting.blocks or {}).get("task", "")
        return _PASSAGE_TASK.format(asked=asked)
    again = "write it anew, without the faults in `notes`" if view.lap else "go on with the story"
    return _TASK.format(
        scene=drafting.scene, chapter=view.chapter, title=view.contract.title, wish=again
    )


async def with_brief(work: Sight, drafting: Question) -> Question:
    """The drafter's call after its brief has been written."""
    work.run.emit(Phase(phase="prewriting"))
    brief = await work.agents.brief(brief_question(work.run, drafting))
    work.run.emit(Phase(phase="writing"))
    steps = work.run.settings.generation.max_steps - brief.step_count
    return replace(briefed(drafting, brief), steps=max(1, steps))


def briefed(drafting: Question, brief: CallRecord) -> Question:
    """The drafter's call with the brief in the place of what it was made from."""
    return replace(
        drafting,
        order=_briefed_order(drafting),
        blocks={**(drafting.blocks or {}), "writing-brief": brief.generated_text},
        briefed=True,
        about=_about(brief),
    )


def _briefed_order(drafting: Question) -> tuple[str, ...]:
    """The writer's blocks; a passage that is changed as the author says is among them."""
    if "passage" not in (drafting.blocks or {}):
        return BRIEFED
    return (*(name for name in BRIEFED if name != "task"), "passage", "task")


def _about(brief: CallRecord) -> Mapping[str, Any]:
    """What the writer's record says of the brief (seed C8)."""
    return {
        "prewriter_brief": brief.generated_text,
        "prewriter_reasoning": brief.reasoning,
        "prewriter_messages": brief.messages,
        "prewriter_duration_ms": brief.duration_ms,
        "prewriter_model": brief.model,
        "prewriter_usage": brief.total_usage,
    }
