"""Prewriter mode: one agent reads everything and writes a brief, another writes from the brief.

The writer's prompt holds the brief and the last words of the story. Of the material behind the
brief it holds only what is never distilled: rules, worn phrases, examples, the author's guidelines
and blocks (seed C1, C7). Both calls are one generation with one `finish`, whose steps are divided
between them (C6): a step is one answer of a model. What the author wants of a scene is the
direction that concerns it (F10).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from studio.agent_pages import BRIEFED_BLOCKS
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import PREWRITER, Phase
from studio.pipeline.prompting.agent_question import LARGE_WINDOW, PlanningMode, Question
from studio.pipeline.stage import Sight
from studio.story.records import CallRecord


@dataclass(frozen=True, slots=True)
class StepBudget:
    """The steps of one generation, `[generation] max_steps`."""

    steps: int

    @property
    def prewriter(self) -> int:
        """The steps the brief may take: half of them, rounded down, at least one."""
        return max(1, self.steps // 2)

    def writer(self, used: int = 0) -> int:
        """Returns the steps the writer may take after a brief that used `used`: all the rest,
        including what the prewriter did not need, at least one."""
        return max(1, self.steps - used)


_WISHES: Mapping[PlanningMode, str] = {
    "generate": "The author wants to CONTINUE the story.",
    "regenerate": (
        "The author wants to REGENERATE it: write it anew{faults}, and not as a correction of what"
        " stood there."
    ),
    "refine": (
        "The author wants to REFINE it: keep what it tells and how it sounds, and change what the"
        " direction{notes} asks for."
    ),
}
_ONE_SCENE = re.compile(
    r"\s*(?:scene|장면|场景|第)\s*(\d{1,3})\s*(?:场|幕)?\s*[:：]", re.IGNORECASE
)
_NO_DIRECTION = "She gives no direction: the plan alone says what comes."


def planning_request(
    mode: PlanningMode, subject: str, direction: str, *, has_notes: bool = False
) -> str:
    """Returns the prewriter's task about `subject` (`scene 2 of chapter 1`), with or without notes
    on an earlier attempt beside it."""
    wish = " ".join(direction.split())
    theirs = f"Their direction: “{wish}”" if wish else _NO_DIRECTION
    asks = _WISHES[mode].format(
        faults=", without the faults in `notes`" if has_notes else "",
        notes=", with `notes`," if has_notes else "",
    )
    return f"Prepare {subject}. {asks} {theirs} Answer with the brief."


def direction_for(direction: str, scene: int) -> str:
    """Returns the part of the author's direction that concerns a scene: a line that begins with
    `scene 2:` (장면 2:, 场景2：) is for that scene alone, any other for the whole chapter."""
    rows = []
    for line in direction.splitlines():
        named = _ONE_SCENE.match(line)
        if named is None or int(named[1]) == scene:
            rows.append(line[named.end() :].strip() if named else line)
    return "\n".join(rows)


WAITING_BRIEF = "(the brief, once the prewriter has written it)"
"""The placeholder in a preview for a brief that is not written yet."""


def prewrites(view: ChapterView) -> bool:
    """Whether a brief is written before each scene."""
    return _wants_briefs(view) and not view.gateway.provider.profile.short_prompts


def too_small_for_a_brief(view: ChapterView) -> bool:
    """Whether the writer wants briefs from a model that is too small to follow one."""
    return _wants_briefs(view) and view.gateway.provider.profile.short_prompts


def _wants_briefs(view: ChapterView) -> bool:
    return view.settings.generation.mode == "prewriter"


_PAGE = 2048
"""The tokens of a brief, which is asked to stay under one page, in a window where more of them
would take the room of what it is made from."""


def brief_question(view: ChapterView, drafting: Question) -> Question:
    """Returns the prewriter's call: everything the drafter would get, with another task."""
    of_a_passage = drafting.mode != "generate"
    subject = f"scene {drafting.scene} of chapter {view.chapter}"
    mode: PlanningMode = "regenerate" if view.lap and not of_a_passage else drafting.mode
    if of_a_passage:
        subject = f"this passage of {subject}"
    has_notes = bool((drafting.blocks or {}).get("notes"))
    direction = direction_for(view.direction, drafting.scene or 0)
    task = planning_request(mode, subject, direction, has_notes=has_notes)
    order, blocks = None, {**(drafting.blocks or {}), "task": task}
    if of_a_passage:
        blocks["direction"] = ""  # the task has it
        theirs = (drafting.blocks or {}).get("task", "").replace("`direction`", "their direction")
        task += f" The writer will be asked: {theirs}"
        order, blocks["task"] = drafting.order, task
    return Question(
        agent=PREWRITER,
        stage=drafting.stage,
        what=f"{drafting.what}-brief",
        scene=drafting.scene,
        part=drafting.part,
        blocks=blocks,
        lines=drafting.lines,
        before=drafting.before,
        exemplars=drafting.exemplars,
        present=drafting.present,
        location=drafting.location,
        steps=steps_of(view).prewriter,
        max_tokens=_PAGE if view.gateway.provider.profile.window < LARGE_WINDOW else None,
        order=order,
        common=drafting.common,
        mode=drafting.mode,
        of_a_passage=drafting.of_a_passage,
        whole=drafting.whole,
    )


def steps_of(view: ChapterView) -> StepBudget:
    """Returns the steps of a generation as the writer set them."""
    return StepBudget(view.settings.generation.max_steps)


async def with_brief(work: Sight, drafting: Question) -> Question:
    """Returns the drafter's call after its brief has been written."""
    brief = await brief_for(work, drafting)
    work.run.emit(Phase(phase="writing"))
    return put_brief(work.run, drafting, brief)


async def brief_for(work: Sight, drafting: Question) -> CallRecord:
    """Returns the brief of a scene, written once however often the scene is then asked for."""
    work.run.emit(Phase(phase="prewriting"))
    return await work.agents.brief(brief_question(work.run, drafting))


def finished_brief(work: Sight, drafting: Question) -> CallRecord | None:
    """Returns the brief that a run would find in the journal if it asked for the same again."""
    request = work.agents.request(brief_question(work.run, drafting))
    return work.run.gateway.find_finished(request)


def brief_of(view: ChapterView, scene: int) -> CallRecord | None:
    """Returns the newest brief that was written for a scene in this attempt: the scene goes on by
    the brief it was begun with."""
    journal, prefix = view.store.journal, f"gen-{view.chapter:03d}-{view.checkpoint.run}-"
    own = re.compile(rf"{re.escape(prefix)}draft-s{scene:02d}(?:-on)?-brief-l\d+-[0-9a-f]+")
    names = [name for name in journal.generation_ids(view.chapter) if own.fullmatch(name)]
    records = [record for name in names if (record := journal.recall(name)) is not None]
    return max(records, key=lambda record: record.created_at, default=None)


def put_brief(view: ChapterView, drafting: Question, brief: CallRecord | None) -> Question:
    """Returns the drafter's call with the brief in place of the material it was made from; None
    stands for a brief that is not written yet."""
    text = WAITING_BRIEF if brief is None else brief.generated_text
    return replace(
        drafting,
        order=_briefed_order(drafting),
        blocks={**(drafting.blocks or {}), "writing-brief": text},
        briefed=True,
        about=None if brief is None else _about(brief),
        steps=steps_of(view).writer(0 if brief is None else brief.step_count),
    )


def _briefed_order(drafting: Question) -> tuple[str, ...]:
    """Returns the order of the writer's blocks; for a passage what she wants of it is among them,
    and so is the passage if it is changed."""
    if drafting.mode == "generate":
        return BRIEFED_BLOCKS
    names = (name for name in BRIEFED_BLOCKS if name != "task")
    changed = ("passage",) if "passage" in (drafting.blocks or {}) else ()
    return (*names, "direction", *changed, "versions", "task")


def _about(brief: CallRecord) -> Mapping[str, Any]:
    """Returns what the writer's record says of the brief (seed C8)."""
    return {
        "prewriter_brief": brief.generated_text,
        "prewriter_reasoning": brief.reasoning,
        "prewriter_messages": brief.messages,
        "prewriter_duration_ms": brief.duration_ms,
        "prewriter_model": brief.model,
        "prewriter_usage": brief.total_usage,
    }
