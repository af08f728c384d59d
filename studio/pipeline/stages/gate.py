"""Gate: code alone decides where the chapter goes; where code may not, the writer does."""

from __future__ import annotations

import re

from studio.i18n import words_for_the_book
from studio.messages import Said, quantity, said
from studio.pipeline.chapter.own_text import keep_own_paragraphs
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import StageName
from studio.pipeline.judging.gate import band
from studio.pipeline.judging.relocate import refresh
from studio.pipeline.review.gate_question import (
    KEEP,
    LEADS_ON,
    REVIEW,
    SCENES_AGAIN,
    faults_no_polish_mends,
    gate_question,
    gate_result,
    notes_of,
    scenes_of,
    why_no_polish,
)
from studio.pipeline.review.mending import (
    MEND,
    asked_before,
    begin_to_mend,
    is_mending,
    mendable,
)
from studio.pipeline.review.question import (
    LOOK_AGAIN,
)
from studio.pipeline.review.rounds import look_again, without_scenes
from studio.pipeline.stage import AskWriter, Back, Go, Step, Work
from studio.story.checkpoint import (
    Decision,
    PipelineStage,
    Revision,
    Trigger,
    move,
)
from studio.story.form.numerals import whole_number
from studio.story.review.evaluation import (
    Evaluation,
    GateResult,
    GateVerdict,
)
from studio.story.review.scores import score_words

_NUMBERS = re.compile(r"\s*(?:scenes?\s+)?(\d+(?:\s*(?:,|and|&|、|，)\s*\d+)*)\b", re.IGNORECASE)
_LEADS_TO = {
    GateVerdict.PASS: Trigger.PASS,
    GateVerdict.UNJUDGED: Trigger.PASS,
    GateVerdict.POLISH: Trigger.POLISH,
    GateVerdict.PAUSE: Trigger.PAUSE,
    GateVerdict.REWRITE: Trigger.REWRITE,
}
"""What each verdict does to the state of the book; a revision begins when the chapter is sent
back."""
_STOPS_IN_EVERY_MODE = frozenset({GateVerdict.PAUSE, GateVerdict.REWRITE})


class GateStage:
    """The stage that applies the table of seed D3 with the violations of seed B5."""

    name: StageName = "gate"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Returns a reason if the gate has already passed this judgement of this text, else
        None."""
        if is_mending(run):
            return "mend"
        record = run.lineage.reader("gate")
        if record is None or record.output_sha256 != _judged_sha256(run):
            return None
        return "through"

    async def work(self, work: Work) -> Step:
        """Decides on the judgement and acts on the verdict, or asks the writer."""
        run = work.run
        _move(run, Trigger.REVISED)
        refresh(run)  # a breach whose words she took out holds nothing up
        evaluation = run.evaluation()
        result = gate_result(run, evaluation)
        if result.verdict in _LEADS_TO:
            _move(run, _LEADS_TO[result.verdict])
        choice = self._choice(work, evaluation, result)
        if isinstance(choice, AskWriter):
            _keep_result(run, evaluation, result)
            return choice
        _say_what_is_left(run, evaluation, choice)
        return _carry_out(work, evaluation, result, choice)

    def _choice(self, work: Work, evaluation: Evaluation, result: GateResult) -> str | AskWriter:
        """Returns what to do: by the table, by the review mode, or by the writer's answer."""
        run = work.run
        if result.verdict in LEADS_ON:
            return REVIEW
        way = run.lineage.overtaken("gate")
        if way is not None and way.output_sha256 == _judged_sha256(run):
            # It went through, and what she changed since makes no fault of it worse.
            return KEEP if evaluation.kept_as_is else REVIEW
        decision = _question(run, evaluation, result)
        option = run.answer(decision.id)
        if option is not None:
            return option
        stops = result.verdict in _STOPS_IN_EVERY_MODE or run.checkpoint.own_text
        if run.review == "ask" or stops:
            return AskWriter(decision)
        option = decision.recommendation
        if option == "draft-again" and result.verdict is GateVerdict.POLISH:
            # what the table says; only a person orders more than that
            option = "polish" if "polish" in decision.options else REVIEW
        run.answered_by_mode(decision, option)
        return option


def _may_mend(run: ChapterRun) -> bool:
    return run.review != "reject"


def _question(run: ChapterRun, evaluation: Evaluation, result: GateResult) -> Decision:
    return gate_question(run, evaluation, result, may_mend=_may_mend(run))


def _move(run: ChapterRun, trigger: Trigger) -> None:
    after = move(run.checkpoint, trigger)
    if after != run.checkpoint:
        run.save(orchestrator_state=after.orchestrator_state)


def _judged_sha256(run: ChapterRun) -> str:
    evaluation = run.evaluation()
    return evaluation.judged_sha256 or evaluation.made_from_sha256 or evaluation.source_sha256


def _say_what_is_left(run: ChapterRun, evaluation: Evaluation, choice: str) -> None:
    """Says what passes the gate although the judge, or a proposal, would have had it otherwise."""
    overall, why = evaluation.overall, why_no_polish(run, evaluation)
    is_plain = overall is not None and band(overall) is GateVerdict.POLISH
    if (
        overall is not None
        and is_plain
        and why
        and not run.checkpoint.polished
        and not run.checkpoint.own_text
    ):
        run.emit.warn(
            said(
                "The chapter has {overall} of 5 and goes on as it is: {why}.",
                overall=score_words(overall),
                why=why,
            )
        )
    left = sum(directive.is_pending for directive in run.sheet().open)
    if choice == "keep" and left:
        run.emit.warn(said("Proposals nobody decided on, which stay behind: {left}.", left=left))


def _carry_out(work: Work, evaluation: Evaluation, result: GateResult, choice: str) -> Step:
    run = work.run
    if choice == LOOK_AGAIN:
        look_again(run)
        return Back(said("look again"))
    breaches = mendable(run, evaluation) if choice == MEND and _may_mend(run) else ()
    if breaches:
        count = begin_to_mend(run, breaches, run.wishes("gate", asked_before(run)))
        _keep_result(run, evaluation, result.copy_with(decided=choice))
        return Go(quantity(count, "{n} breach to mend", "{n} breaches to mend"))
    if choice == SCENES_AGAIN:
        scenes = _chosen_scenes(run) or result.scenes
        return _send_back(work, evaluation, result.copy_with(scenes=scenes))
    if choice in ("draft-again", MEND):  # nothing that the surgeon may mend is left
        whole = result.verdict is GateVerdict.PAUSE
        if result.verdict is GateVerdict.POLISH:
            scenes = scenes_of(run, faults_no_polish_mends(evaluation))
            result = result.copy_with(scenes=scenes)
        scope = result.copy_with(scenes=()) if whole else result
        return _send_back(work, evaluation, scope)
    if choice == "polish":
        _keep_result(run, evaluation, result.copy_with(decided=choice))
        _pass_through(run, polished=True)
        return Back(said("polish"))
    decision = choice if result.verdict not in LEADS_ON else ""
    _keep_result(run, evaluation, result.copy_with(decided=decision))
    _pass_through(run)
    return Go(Said(result.verdict.value))


def _answered_question(work: Work, evaluation: Evaluation, result: GateResult) -> Decision | None:
    """Returns the question that she answered; None where a mode did."""
    decision = _question(work.run, evaluation, evaluation.gate or result)
    return decision if work.run.checkpoint.answer_to(decision.id) is not None else None


def _chosen_scenes(run: ChapterRun) -> tuple[int, ...]:
    """Returns the scenes that the writer's note begins with; empty if it names none of the
    chapter."""
    answer = run.checkpoint.answer_to(run.decision_id("gate", asked_before(run)))
    match = _NUMBERS.match(answer.note) if answer is not None else None
    numbers = {whole_number(word) or 0 for word in re.findall(r"\d+", match[1])} if match else set()
    return tuple(sorted(n for n in numbers if 1 <= n <= run.scenes.count))


def _send_back(work: Work, evaluation: Evaluation, result: GateResult) -> Step:
    """Sends the chapter back to the drafter, on the deep role, with the findings as notes (seed
    B6)."""
    run = work.run
    keep_own_paragraphs(run, run.variations)
    number = run.lap + 1
    general, by_scene = _notes_by_scene(run, evaluation, result)
    run.save(
        revision_count=run.checkpoint.revision_count + 1,
        laps=number,
        revision=Revision(
            number=number,
            scenes=result.scenes,
            notes=(*run.wishes("gate", asked_before(run)), *general),
            by_scene=by_scene,
            asked=_answered_question(work, evaluation, result),
        ),
        surgery_round=0,
        worked=without_scenes(run.checkpoint.worked, run.scenes, result.scenes),
        pipeline_stage=PipelineStage.REVISING,
        orchestrator_state=move(run.checkpoint, Trigger.REVISE).orchestrator_state,
    )
    return Back(said("revision {number}", number=number))


def _notes_by_scene(
    run: ChapterRun, evaluation: Evaluation, result: GateResult
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Returns the notes for every scene, and those of single scenes by their numbers, in the
    novel's language."""
    language = run.pack.language
    notes = [
        (note.scene, words_for_the_book(note.words, language))
        for note in notes_of(run, evaluation, result)
    ]
    numbers = dict.fromkeys(scene for scene, _ in notes if scene is not None)
    by_scene = {str(n): tuple(note for scene, note in notes if scene == n) for n in numbers}
    return tuple(note for scene, note in notes if scene is None), by_scene


def _keep_result(run: ChapterRun, evaluation: Evaluation, result: GateResult) -> None:
    if evaluation.gate != result:
        run.staged.put_evaluation(evaluation.copy_with(gate=result))


def _pass_through(run: ChapterRun, polished: bool = False) -> None:
    if polished:
        run.save(polished=True)
    record = run.records.record_gate(run.current.sha256, _judged_sha256(run))
    run.record(record, PipelineStage.GATED)
