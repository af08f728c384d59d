"""The question that each agent of a chapter would be asked now, or why there is none yet.

Each question is built by the same function that the stage uses, from the files on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pydantic import BaseModel

from studio.errors import usage
from studio.messages import said
from studio.pipeline.chapter.scene_in_progress import scene_in_progress
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.bridges import bridge_question, joints, scene_list
from studio.pipeline.drafting.drafter_prompt import Before, prose_before, scene_question
from studio.pipeline.drafting.prewriter import (
    brief_of,
    brief_question,
    finished_brief,
    prewrites,
    put_brief,
)
from studio.pipeline.drafting.scene_plans import plan_question, scene_specs, to_be_planned
from studio.pipeline.events import DRAFTER, PREWRITER
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.fit_to_window import SO_FAR
from studio.pipeline.questions.before_drafting import is_due, question_before_drafting
from studio.pipeline.review.code_findings import measure
from studio.pipeline.review.surgeon import first_question
from studio.pipeline.stage import Sight
from studio.pipeline.stages.draft import prices_in_progress, scene_so_far
from studio.pipeline.stages.judge import judge_question
from studio.pipeline.stages.refine import findings_to_mend, refine_question
from studio.pipeline.stages.summarize import summary_question
from studio.project.planning.imports import waiting_draft
from studio.story.checkpoint import GO_ON
from studio.story.contract import SceneSpec
from studio.story.ledger import Estimate
from studio.story.review.answers import (
    JudgeAnswer,
    LineEditsAnswer,
    QuestionsAnswer,
    ScenesAnswer,
    SummaryAnswer,
)
from studio.story.review.stale_directives import sheet_in

NOT_WRITTEN = said("(scene {scene}, once it is written)")
_NO_TEXT = said("chapter {chapter} has no text yet")


class Ahead(NamedTuple):
    """A question that has not been asked yet."""

    question: Question
    answer: type[BaseModel] | None = None
    """The type of the answer, if it is structured."""
    pending: Mapping[str, str] = {}
    """Blocks whose text does not exist yet, and why."""


_ASKED_ELSEWHERE: Mapping[str, str] = {
    "character-weaver": said("`studio start` and `studio bible suggest --model` do"),
    "world-builder": said("`studio start` and `studio bible suggest --model` do"),
    "style-analyzer": said("`studio start` does, about a passage of yours"),
}
"""Agents whose question depends on what the author names with the command."""
Look = Callable[[Sight, int | None], Ahead | str]
"""Returns what an agent would be asked about a scene; a string says why nothing."""


def next_question(work: Sight, scene: int | None) -> Ahead | str:
    """Returns the first call of the next scene, or of `scene`: for the plan of the scenes if a
    model makes it, for a brief if there is one, else the drafter's."""
    view = work.run
    if has_no_drafter(view):
        return _OWN_TEXT
    spec = _spec(view, scenes_as_drafted(view), scene)
    if to_be_planned(view) and view.gateway.provider.profile.extracts:
        return Ahead(plan_question(work), ScenesAnswer)
    is_briefed = not prewrites(view) or _goes_on_by_its_brief(view, spec)
    return (_draft if is_briefed else _brief)(work, spec.number)


def _goes_on_by_its_brief(view: ChapterView, spec: SceneSpec) -> bool:
    words = scene_in_progress(view.staged, view.checkpoint, view.pack)
    is_begun = words is not None and words.number == spec.number
    return is_begun and brief_of(view, spec.number) is not None


def agent_question(work: Sight, agent: str, scene: int | None) -> Ahead | str:
    """Returns what one agent would be asked, or why nothing."""
    look = _LOOKS.get(agent)
    if look is None:
        asked = _ASKED_ELSEWHERE.get(agent)
        where = f"; {asked}" if asked else ""
        return said(
            "nothing in the line of a chapter asks the {agent}{where}", agent=agent, where=where
        )
    if scene is not None:
        _spec(work.run, scenes_as_drafted(work.run), scene)
    return look(work, scene)


def has_no_drafter(view: ChapterView) -> bool:
    """Whether the chapter's text is, or will be, the author's own."""
    begun = view.checkpoint.inflight_chapter is not None
    waits = not begun and waiting_draft(view.store.layout, view.chapter) is not None
    return view.checkpoint.own_text or waits


def scenes_as_drafted(view: ChapterView) -> dict[SceneSpec, str | None]:
    """Returns the planned scenes, each with its text if nobody has to draft it; without one if it
    is still to be drafted or in progress."""
    plan = scene_specs(view)
    return {spec: scene_so_far(view, plan, spec) for spec in plan}


def _spec(
    view: ChapterView, specs: Mapping[SceneSpec, str | None], number: int | None
) -> SceneSpec:
    """Returns the scene with that number, else the first that is to be drafted, else the first."""
    wanted = [
        s for s, text in specs.items() if (text is None if number is None else s.number == number)
    ]
    if not wanted and number is not None:
        raise usage(
            said("Chapter {chapter} has no scene {number}.", chapter=view.chapter, number=number),
            said("Its plan has {count}.", count=len(specs)),
        )
    return wanted[0] if wanted else next(iter(specs))


def draft_question(work: Sight, scene: int | None) -> tuple[Question, dict[str, str]]:
    """Returns the drafter's question about a scene, by default the next one that is missing, and
    what its blocks still lack. StudioError (exit 2) for a scene that is not planned."""
    view = work.run
    specs = scenes_as_drafted(view)
    spec = _spec(view, specs, scene)
    before, before_it = _before(work, specs, spec)
    words = scene_in_progress(view.staged, view.checkpoint, view.pack)
    stands = words.text if words is not None and words.number == spec.number else ""
    question = scene_question(work, tuple(specs), spec, before_it, stands=stands)
    last = spec.number - 1
    late = bool(before) and before[last] is None
    return question, {
        SO_FAR: said("scene {missing} is not written yet", missing=last)
    } if late else {}


def _before(
    work: Sight, specs: Mapping[SceneSpec, str | None], spec: SceneSpec
) -> tuple[dict[int, str | None], Before]:
    """Returns the scenes before one with their texts, and the prose that stands before it."""
    before = {s.number: text for s, text in specs.items() if s.number < spec.number}
    texts = [text or NOT_WRITTEN.format(scene=number) for number, text in before.items()]
    return before, prose_before(work, texts)


def prices_of_open_scene(work: Sight) -> dict[str, Estimate]:
    """Returns what each answer about the scene in progress costs, by its name; nothing where no
    words of a scene stand. StudioError (exit 2) for a scene that is not planned any more."""
    view = work.run
    words = scene_in_progress(view.staged, view.checkpoint, view.pack)
    if words is None:
        return {}
    specs = scenes_as_drafted(view)
    spec = _spec(view, specs, words.number)
    return prices_in_progress(work, tuple(specs), spec, _before(work, specs, spec)[1], words.text)


def price_of_scene_from(work: Sight, place: tuple[int, str]) -> Estimate | None:
    """Returns what it costs to go on with a scene, by its number, behind the words given; None
    where it does not fit the model. StudioError (exit 2) for a scene that is not planned."""
    number, stands = place
    specs = scenes_as_drafted(work.run)
    spec = _spec(work.run, specs, number)
    before = _before(work, specs, spec)[1]
    return prices_in_progress(work, tuple(specs), spec, before, stands).get(GO_ON)


def _brief(work: Sight, scene: int | None) -> Ahead | str:
    if has_no_drafter(work.run):
        return _OWN_TEXT
    question, pending = draft_question(work, scene)
    return Ahead(brief_question(work.run, question), None, pending)


def _draft(work: Sight, scene: int | None) -> Ahead | str:
    if has_no_drafter(work.run):
        return _OWN_TEXT
    question, pending = draft_question(work, scene)
    if not prewrites(work.run):
        return Ahead(question, None, pending)
    brief = brief_of(work.run, question.scene or 0) if question.going_on else None
    brief = brief or finished_brief(work, question)
    if brief is None:
        pending = {**pending, "writing-brief": said("the prewriter has not written it yet")}
    return Ahead(put_brief(work.run, question, brief), None, pending)


_OWN_TEXT = said("the chapter is your own text; no model is asked to draft it")


def _plan(work: Sight, scene: int | None) -> Ahead | str:
    view = work.run
    if is_due(view) and not has_no_drafter(view) and view.records.questions is None:
        return Ahead(question_before_drafting(view), QuestionsAnswer)
    if view.contract.scenes:
        return "the contract names the scenes itself"
    return _OWN_TEXT if has_no_drafter(view) else Ahead(plan_question(work), ScenesAnswer)


def _bridge(work: Sight, scene: int | None) -> Ahead | str:
    specs = scenes_as_drafted(work.run)
    plan = tuple(specs)
    texts = [text or "" for text in specs.values()]
    for joint in joints(work.run, plan, texts):
        if scene is None or joint.scene == scene:
            missing = [s.number for s, text in specs.items() if text is None]
            if missing:
                return said("scene {missing} is not written yet", missing=missing[0])
            return Ahead(bridge_question(scene_list(plan), joint, work.run.pack))
    return said("no step between its scenes leaves out two things at once")


def _summary(work: Sight, scene: int | None) -> Ahead | str:
    if work.run.text is None:
        return _NO_TEXT.with_values(chapter=work.run.chapter)
    return Ahead(summary_question(work), SummaryAnswer)


def _refinement(work: Sight, scene: int | None) -> Ahead | str:
    text = work.run.text
    if text is None:
        return _NO_TEXT.with_values(chapter=work.run.chapter)
    if work.run.checkpoint.own_text:
        return said("your own text is not refined")
    return Ahead(refine_question(work, findings_to_mend(work.run)), LineEditsAnswer)


def _judgement(work: Sight, scene: int | None) -> Ahead | str:
    if work.run.text is None:
        return _NO_TEXT.with_values(chapter=work.run.chapter)
    return Ahead(judge_question(work, *measure(work.run)), JudgeAnswer)


def _surgery(work: Sight, scene: int | None) -> Ahead | str:
    view = work.run
    sheet = sheet_in(view.staged.sheet(), view.text)
    for directive in (
        sheet.approved_directives if sheet is not None and view.text is not None else ()
    ):
        if scene in (None, directive.location.scene_number) and directive.edited_text is None:
            question = first_question(work, directive)
            if question is not None:
                return Ahead(question)
    return said("no directive is accepted and waits for the surgeon")


def _second_reading(work: Sight, scene: int | None) -> Ahead | str:
    return said("it reads a fix in the moment the surgeon has made it, and none is being made")


_LOOKS: Mapping[str, Look] = {
    DRAFTER: _draft,
    PREWRITER: _brief,
    "plot-architect": _plan,
    "assembly": _bridge,
    "summarizer": _summary,
    "style-refiner": _refinement,
    "quality-oracle": _judgement,
    "prose-surgeon": _surgery,
    "second-reader": _second_reading,
}
