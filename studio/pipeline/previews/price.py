"""What `studio write` will cost until it asks, from what would be sent (WRITING 6).

A call of a kind that this novel has made before costs what those cost; any other is estimated by
its size. For a chapter without a text, the calls that read it are sized by its target length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace

from studio.errors import StudioError
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.costs import with_cost
from studio.pipeline.drafting.prewriter import brief_question, prewrites
from studio.pipeline.drafting.scene_plans import (
    chapter_target,
    plan_question,
    scenes_needed,
    to_be_planned,
)
from studio.pipeline.events import unheard
from studio.pipeline.previews.agent_previews import (
    Ahead,
    draft_question,
    has_no_drafter,
    price_of_scene_from,
    scenes_as_drafted,
)
from studio.pipeline.questions.before_drafting import is_due, question_before_drafting
from studio.pipeline.review.changed_since_judged import is_summary_missing
from studio.pipeline.review.mending import MEND, questions_of_mending
from studio.pipeline.review.question import LOOK_AGAIN
from studio.pipeline.review.rounds import MOST_ROUNDS
from studio.pipeline.review.surgeon import first_question
from studio.pipeline.stage import Sight
from studio.pipeline.stages.judge import judge_question
from studio.pipeline.stages.refine import refine_question
from studio.pipeline.stages.summarize import summary_question
from studio.story.chapter import Chapter, sha256_of
from studio.story.checkpoint import Decision, PipelineStage, Revision
from studio.story.ledger import FREE, Estimate, Fixing
from studio.story.review.answers import (
    JudgeAnswer,
    LineEditsAnswer,
    QuestionsAnswer,
    ScenesAnswer,
    SummaryAnswer,
)
from studio.story.review.directive import Directive, DirectiveType, directive_id
from studio.story.review.evaluation import GateVerdict
from studio.story.review.operations import MAX_DIRECTIVES
from studio.story.review.passages_in_changed_text import location_of
from studio.story.review.stale_directives import sheet_in
from studio.story.status import ReviewMode
from studio.text.oracle.directives import CodeFindings

_UNIT = {"en": "harbour ", "ko": "가", "zh": "字"}
"""What stands in, as often as the chapter is to have words or characters, for a text that is not
written yet."""
_LONG = 60
_READ_FROM = {
    PipelineStage.DRAFTED: ("summarize", "refine", "judge"),
    PipelineStage.SUMMARIZED: ("refine", "judge"),
    PipelineStage.REFINED: ("judge",),
}
"""The stages of reading that are still to come, by how far a drafted chapter is."""


def price_of_writing(work: Sight, review: ReviewMode = "ask") -> Estimate:
    """Returns what `studio write` will cost until it asks again: the fixes that wait for the
    surgeon, or else the scenes that are not written yet and the reading of the chapter; where it
    takes the fixes without asking, with what comes after that reading."""
    if review == "accept":
        return Estimate.together((price_of_writing(work, "reject"), _fixing(work)))
    view = work.run
    if view.text is not None and view.checkpoint.inflight_chapter == view.chapter:
        sheet = sheet_in(view.staged.sheet(), view.text)
        approved = sheet.approved_directives if sheet is not None else ()
        if approved and review == "ask":
            return Estimate.together(price_of_fix(work, directive) for directive in approved)
        stage = view.checkpoint.pipeline_stage
        return _reading(work, _READ_FROM.get(stage, ()) if stage else ())
    reading = _READ_FROM[PipelineStage.DRAFTED]
    return Estimate.together((*_drafting(work), _reading(work, reading)))


def price_of_going_on(work: Sight, place: tuple[int, str]) -> Estimate:
    """Returns what `studio write` will cost until it asks again, once a scene goes on behind the
    words given: `place` is its number and these words."""
    scene = price_of_scene_from(work, place) or FREE
    others = _drafting(work, but=place[0]) if work.run.text is None else ()
    return Estimate.together((scene, *others, _reading(work, _READ_FROM[PipelineStage.DRAFTED])))


def price_of_reading_again(work: Sight) -> Estimate:
    """Returns what it costs to have a chapter read again: one of the book is summarized and judged,
    the one in progress, which was changed since, is judged."""
    is_open = work.run.checkpoint.inflight_chapter == work.run.chapter
    return _reading(work, ("judge",) if is_open else ("summarize", "judge"))


def price_of_draft(work: Sight, text: str) -> Estimate:
    """Returns what it costs to have a text read that becomes the chapter as the author's own."""
    view = copy(work.run)
    view.text = Chapter(text)
    return _reading(Sight(view, work.prompt_blocks), ("summarize", "judge"))


def price_of_summary(work: Sight) -> Estimate:
    """Returns what the summary costs that is made before the chapter goes into the book."""
    return _reading(work, ("summarize",))


def price_of_fix(work: Sight, directive: Directive) -> Estimate:
    """Returns what the surgeon's call for one directive costs; nothing where code makes the fix, or
    its words are the writer's."""
    question = first_question(work, directive) if directive.edited_text is None else None
    return _price(work, Ahead(question)) if question is not None else FREE


def price_answers(work: Sight, question: Decision) -> Decision:
    """Returns a question about a chapter with what each answer costs that has models called; a
    damaged file, or an answer that does not fit the model, costs the price, not the question."""
    for option in question.data.get("options", {}):
        price = _OF_ANSWERS.get(option) or _OF_ANSWERS.get(f"{question.kind}.{option}")
        if price is not None:
            with suppress(StudioError):
                question = with_cost(question, option, price(work, question))
    return question


def _drafting_again(work: Sight, question: Decision, scenes: tuple[int, ...] = ()) -> Estimate:
    """Returns what drafting these scenes again, or all, and reading the chapter after it costs; the
    gate has it drafted by the deep model."""
    view = copy(work.run)
    view.emit = unheard()  # what a price leaves out is no news
    lap = view.lap + 1
    revision = Revision(number=lap, scenes=scenes, deep=question.kind == "gate")
    view.checkpoint = view.checkpoint.copy_with(laps=lap, revision=revision)
    work = Sight(view, work.prompt_blocks)
    return Estimate.together((*_drafting(work), _reading(work, _READ_FROM[PipelineStage.DRAFTED])))


def _drafting_scenes_again(work: Sight, question: Decision) -> Estimate:
    return _drafting_again(work, question, tuple(question.data.get("scenes", ())))


def _drafting_it_again(work: Sight, question: Decision) -> Estimate:
    if question.data.get("verdict") == GateVerdict.PAUSE.value:  # the whole chapter
        return _drafting_again(work, question)
    return _drafting_scenes_again(work, question)


def _mending(work: Sight, question: Decision) -> Estimate:
    """Returns what the surgeon's calls cost that mend what is broken, and the reading after."""
    calls = [_price(work, Ahead(one)) for one in questions_of_mending(work)]
    return Estimate.together((*calls, _reading(work, ("summarize", "judge"))))


def _polishing(work: Sight, question: Decision) -> Estimate:
    return _price(work, Ahead(refine_question(work, CodeFindings()), LineEditsAnswer))


def _trying_once_more(work: Sight, question: Decision) -> Estimate:
    sheet = sheet_in(work.run.staged.sheet(), work.run.text)
    directive = sheet.find(str(question.data.get("directive"))) if sheet is not None else None
    return price_of_fix(work, directive) if directive is not None else FREE


def _taking_in(work: Sight) -> Estimate:
    """Returns what is done before a chapter in review goes into the book: the fixes whose words the
    surgeon still has to write, and a summary of the text as it stands."""
    view = work.run
    sheet = sheet_in(view.staged.sheet(), view.text)
    fixes = sheet.approved_directives if sheet is not None else ()
    costs = [price_of_fix(work, directive) for directive in fixes]
    if costs or (view.text and is_summary_missing(view.checkpoint, view.text.sha256)):
        costs.append(price_of_summary(work))
    return Estimate.together(costs)


def _scene_once_more(work: Sight, question: Decision) -> Estimate:
    return _price(work, Ahead(draft_question(work, question.data.get("scene"))[0]))


_OF_ANSWERS: Mapping[str, Callable[[Sight, Decision], Estimate]] = {
    "draft-again": _drafting_it_again,
    "draft-scenes": _drafting_scenes_again,
    LOOK_AGAIN: lambda work, question: _reading(work, ("judge",)),
    MEND: _mending,
    "gate.polish": _polishing,
    "gate.keep": lambda work, question: _taking_in(work),
    "review.commit": lambda work, question: _taking_in(work),
    "review.go-on": lambda work, question: price_of_writing(work),
    "breaker.again": _trying_once_more,
    "language.again": _scene_once_more,
}
"""The price of each answer that has models called, those of one kind of question with that kind."""


def _price(work: Sight, ahead: Ahead) -> Estimate:
    return work.run.gateway.estimate(work.agents.request(ahead.question, ahead.answer))


def _drafting(work: Sight, but: int | None = None) -> Iterator[Estimate]:
    """Yields what dividing the chapter and drafting each scene that is missing costs, `but` for
    one."""
    view = work.run
    if has_no_drafter(view):
        return
    drafted = scenes_as_drafted(view).items()
    numbers = [scene.number for scene, text in drafted if text is None and scene.number != but]
    missing = len(numbers)
    is_divided = not (to_be_planned(view) and view.gateway.provider.profile.extracts)
    if not is_divided:
        missing = scenes_needed(view.contract, view.lengths, view.direction)
        yield _price(work, Ahead(plan_question(work), ScenesAnswer))
    if not missing:
        return
    if is_due(view) and view.records.questions is None:
        yield _price(work, Ahead(question_before_drafting(view), QuestionsAnswer))
    question, _ = draft_question(work, numbers[0] if numbers else None)
    if question.going_on is not None:
        yield _price(work, Ahead(question))
        missing -= 1
        if not missing:
            return
        question, _ = draft_question(work, numbers[-1])
    if not is_divided:  # until it is, its plan is one scene, as long as the chapter
        question = replace(question, likely_tokens=(question.likely_tokens or 0) // missing)
    yield _price(work, Ahead(question)).times(missing)
    if prewrites(view):
        yield _price(work, Ahead(brief_question(view, question))).times(missing)


def _reading(work: Sight, stages: tuple[str, ...]) -> Estimate:
    """Returns what these stages of reading the chapter cost."""
    work = _with_text(work)
    view, profile = work.run, work.run.gateway.provider.profile
    costs = []
    if "summarize" in stages and profile.extracts:
        costs.append(_price(work, Ahead(summary_question(work), SummaryAnswer)))
    is_refined = view.settings.refine.on != "off" and not has_no_drafter(work.run)
    if "refine" in stages and profile.judges and is_refined:
        costs.append(_price(work, Ahead(refine_question(work, CodeFindings()), LineEditsAnswer)))
    if "judge" in stages and profile.judges:
        costs.append(_price(work, Ahead(judge_question(work, {}, CodeFindings()), JudgeAnswer)))
    return Estimate.together(costs)


def _fixing(work: Sight) -> Estimate:
    """Returns what the fixes cost that a chapter gets of which nobody is asked, and reading it
    again after them."""
    work = _with_text(work)
    view = work.run
    longest = max(view.current.paragraphs, key=lambda paragraph: len(paragraph.text))
    fix = Directive(
        id=directive_id(DirectiveType.FACT_CORRECTION, 1),
        type=DirectiveType.FACT_CORRECTION,
        priority=1,
        location=location_of((longest,)),
        issue=longest.text,
        current_text=longest.text,
        instruction=longest.text,
        max_scope=1,
        source_sha256=sha256_of(longest.text),
        origin="judge",
    )
    reading, surgery = _reading(work, ("summarize", "judge")), price_of_fix(work, fix)
    run = f"gen-{view.chapter:03d}-{view.checkpoint.run}"
    left = Fixing.left(view.store.journal.latest_usage(), run)
    usual = Estimate.together((reading.times(left.readings), surgery.times(left.fixes)))
    round_ = Estimate.together((reading, surgery.times(MAX_DIRECTIVES)))
    return replace(round_.times(MOST_ROUNDS), about=usual.about)


def _with_text(work: Sight) -> Sight:
    """Returns a chapter with a text: its own, or one as long as it is to be."""
    if work.run.text is not None:
        return work
    view = copy(work.run)
    view.text = _stand_in(view)
    return Sight(view, work.prompt_blocks)


def _stand_in(view: ChapterView) -> Chapter:
    """Returns a text as long as the chapter is to be."""
    length = chapter_target(view.contract, view.lengths.chapter_length)
    unit = _UNIT[view.settings.novel.language]
    paragraph = (unit * _LONG).strip() + "."
    return Chapter("\n\n".join(["# " + view.contract.title, *[paragraph] * (length // _LONG + 1)]))
