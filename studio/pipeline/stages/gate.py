"""Gate: code alone decides where the chapter goes; where code may not, the writer does."""

from __future__ import annotations

import re
from collections.abc import Mapping

from studio.i18n import words_for_the_book
from studio.messages import Said, join, quantity, readable, said, series
from studio.pipeline.chapter.own_paragraphs import keep_own_paragraphs, what_is_kept
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import StageName
from studio.pipeline.judging.gate import PASS_AT, WEAK_SCORE, GateInput, band, judge_gate
from studio.pipeline.judging.relocate import refresh
from studio.pipeline.review.changed_since_judged import (
    is_judgement_overtaken,
    sentence_of_changes,
)
from studio.pipeline.review.mending import (
    MEND,
    asked_before,
    begin_to_mend,
    is_mending,
    mendable,
    passage_of_breach,
)
from studio.pipeline.review.question import (
    LOOK_AGAIN,
    READ_AGAIN,
    open_choices,
    taking_as_it_is,
)
from studio.pipeline.review.rounds import can_be_judged, look_again, without_scenes
from studio.pipeline.stage import AskWriter, Back, Go, Step, Work
from studio.story.checkpoint import (
    Decision,
    PipelineStage,
    Revision,
    Trigger,
    move,
)
from studio.story.review.evaluation import (
    CONFIDENCE_WORDS,
    LAYER_WORDS,
    Evaluation,
    GateResult,
    GateVerdict,
    Violation,
)
from studio.story.review.scenes_in_text import TextScenes
from studio.story.review.scores import score_words
from studio.text.prose.answer import breach

SCENES_AGAIN, KEEP, REVIEW = "draft-scenes", "keep", "review"
_CONSEQUENCES = {
    "polish": said("Refine the language once more, then go on to the review."),
    "draft-again": said("Draft the named scenes again, with these notes."),
    "review": said("Go on to the review with the text as it is."),
    "edit": said("Change the text yourself, then go on; it counts as your own from then on."),
    MEND: said("Mend the sentence where it stands; the rest stays. It is read again after that."),
}
_AT_A_PAUSE = {
    "draft-again": said("Draft the whole chapter again, with these notes."),
    SCENES_AGAIN: said(
        "Draft these scenes again and leave the others. A note that begins with numbers "
        '(`--note "2, 3: slower"`) chooses other scenes; all of it reaches the drafter.'
    ),
}
"""The options whose consequences differ when a person decides how much is written again (F2)."""
_NO_POLISH_MENDS = ("plot logic", "character", "foreshadowing", "storyline coherence")
"""The scores that say what is told is at fault: refining the language leaves it as it is."""
_MOST_NOTES, _LONGEST_NOTE, _LONGEST_BREACH = 24, 600, 550
"""The most notes that go with a new draft, and characters of each. Notes are never dropped from
its prompt, and a judge that finds endless faults must not make that prompt too large for any
model."""
_MOST_REASONS = 3
"""The lowest scores that a question names where none is weak."""
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
        result = judge_gate(
            GateInput(
                scores=evaluation.scores,
                overall=evaluation.overall,
                violations=evaluation.violations,
                revisions_done=run.checkpoint.revision_count,
                revisions_allowed=run.settings.gate.revisions,
                polished=run.checkpoint.polished,
                unpolished=_why_unpolished(run),
                own_text=run.checkpoint.own_text,
                scene_count=run.scenes.count,
                warnings=evaluation.warnings,
            )
        )
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
        if result.verdict in (GateVerdict.PASS, GateVerdict.UNJUDGED):
            return REVIEW
        way = run.lineage.overtaken("gate")
        if way is not None and way.output_sha256 == _judged_sha256(run):
            # It went through, and what she changed since makes no fault of it worse.
            return KEEP if evaluation.kept_as_is else REVIEW
        decision = _decision(work, evaluation, result)
        option = run.answer(decision.id)
        if option is not None:
            return option
        stops = result.verdict in _STOPS_IN_EVERY_MODE or run.checkpoint.own_text
        if run.review == "ask" or stops:
            return AskWriter(decision)
        option = decision.recommendation
        if option == "draft-again" and result.verdict is GateVerdict.POLISH:
            option = "polish"  # what the table says; only a person orders more than that
        run.answered_by_mode(decision, option)
        return option


def _move(run: ChapterRun, trigger: Trigger) -> None:
    after = move(run.checkpoint, trigger)
    if after != run.checkpoint:
        run.save(orchestrator_state=after.orchestrator_state)


def _judged_sha256(run: ChapterRun) -> str:
    evaluation = run.evaluation()
    return evaluation.judged_sha256 or evaluation.made_from_sha256 or evaluation.source_sha256


def _why_unpolished(run: ChapterRun) -> str:
    """Returns why nobody polishes the chapter; empty if somebody does."""
    if run.settings.refine.on == "off":
        return said("refining is switched off, so nobody polishes its language")
    if run.profile is None or run.profile.rewrites != "well":
        return said("this model is too small to polish its language")
    return ""


def _say_what_is_left(run: ChapterRun, evaluation: Evaluation, choice: str) -> None:
    """Says what passes the gate although the judge, or a proposal, would have had it otherwise."""
    overall, why = evaluation.overall, _why_unpolished(run)
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


_SAYS: Mapping[GateVerdict, Said] = {
    GateVerdict.PASS: said("The chapter may pass: {reasons}."),
    GateVerdict.POLISH: said("Its language needs another polish: {reasons}."),
    GateVerdict.REVISE: said("Some of it could be told better: {reasons}."),
    GateVerdict.PAUSE: said(
        "It is not good enough yet, and you decide what becomes of it: {reasons}."
    ),
    GateVerdict.REWRITE: said("It needs to be drafted again: {reasons}."),
    GateVerdict.UNJUDGED: said("Nobody has judged it: {reasons}."),
}
"""The sentence for each verdict that opens the question to the writer."""


_NOT_BY_POLISH = said(
    "Something in it does not hold yet, and a polish of its language would leave it so: {reasons}."
)
"""The opening where the score asks for a polish and the judge names what none mends."""
_BROKEN = said("It breaks what was agreed: {reasons}.")
"""The opening where a rule is broken with high confidence: a law is no matter of how it is told."""


def _opening(evaluation: Evaluation, result: GateResult) -> Said:
    broken = evaluation.open_high_violations and result.verdict is GateVerdict.REVISE
    return _BROKEN if broken else _SAYS[result.verdict]


def _decision(work: Work, evaluation: Evaluation, result: GateResult) -> Decision:
    run = work.run
    options, recommended = _options(run, result.verdict)
    opening, reasons = _opening(evaluation, result), result.reasons
    if recommended == "polish" and (faults := _faults_no_polish_mends(evaluation)):
        result = result.model_copy(update={"scenes": _scenes_of(run, faults)})
        opening = _NOT_BY_POLISH
        reasons = (*(Said(name) for name, _reason, _scene in faults), *reasons)
        if run.checkpoint.revision_count < run.settings.gate.revisions:
            others = (option for option in options if option != "draft-again")
            options, recommended = ("draft-again", *others), "draft-again"
    if result.verdict is GateVerdict.REVISE and mendable(run, evaluation):
        options = (MEND, *options) if _is_only_breach(evaluation) else (*options, MEND)
        recommended = recommended if run.checkpoint.own_text else options[0]
    is_changed = is_judgement_overtaken(run)
    if is_changed and can_be_judged(run):
        options, recommended = (LOOK_AGAIN, *options), LOOK_AGAIN
    is_pause = result.verdict is GateVerdict.PAUSE and not run.checkpoint.own_text
    consequences: dict[str, str] = {
        **_CONSEQUENCES,
        KEEP: taking_as_it_is(run.sheet(), open_choices(evaluation, run.current)),
        LOOK_AGAIN: READ_AGAIN,
    }
    if is_pause or not result.scenes:
        consequences |= _AT_A_PAUSE
    scenes = {"draft-again": () if is_pause else result.scenes, SCENES_AGAIN: result.scenes}
    for option in scenes.keys() & set(options):
        consequences[option] = join((consequences[option], what_is_kept(run, scenes[option])))
    where = said("the whole chapter")
    if result.scenes:
        words = said("scenes {numbers}") if len(result.scenes) > 1 else said("scene {numbers}")
        where = words.with_values(numbers=series(result.scenes))
    return Decision(
        id=run.decision_id("gate", asked_before(run)),
        kind="gate",
        recommendation=recommended,
        options=options,
        rationale=join(
            (
                sentence_of_changes(run) if is_changed else "",
                opening.with_values(reasons=join(reasons, "; ")),
            )
        ),
        data={
            "verdict": result.verdict.value,
            "overall": evaluation.overall,
            "where": where,
            "scenes": list(result.scenes),
            "notes": _notes_to_read(evaluation) or _what_a_polish_is_for(evaluation, recommended),
            "violations": _violations(evaluation),
            "revision": run.checkpoint.revision_count,
            "options": {name: consequences[name] for name in options},
        },
    )


def _violations(evaluation: Evaluation) -> list[str]:
    """Returns the rules broken with high confidence, no more than a person can read."""
    return readable(
        said("{layer}: {rule}", layer=v.layer, rule=v.rule[:_LONGEST_NOTE])
        for v in evaluation.open_high_violations
    )


def _is_only_breach(evaluation: Evaluation) -> bool:
    """Whether nothing but a broken rule keeps a chapter from going on: its score would let it."""
    overall = evaluation.overall
    return overall is not None and band(overall) in (GateVerdict.PASS, GateVerdict.POLISH)


def _options(run: ChapterRun, verdict: GateVerdict) -> tuple[tuple[str, ...], str]:
    if run.checkpoint.own_text:
        return ("review", "keep", "edit"), "review"
    if verdict is GateVerdict.POLISH:
        return ("polish", "review", "draft-again", "keep", "edit"), "polish"
    if verdict is GateVerdict.PAUSE and run.scenes.count > 1:
        return ("draft-again", SCENES_AGAIN, "review", "keep", "edit"), "draft-again"
    return ("draft-again", "review", "keep", "edit"), "draft-again"


def _carry_out(work: Work, evaluation: Evaluation, result: GateResult, choice: str) -> Step:
    run = work.run
    if choice == LOOK_AGAIN:
        look_again(run)
        return Back(said("look again"))
    breaches = mendable(run, evaluation) if choice == MEND else ()
    if breaches:
        count = begin_to_mend(run, breaches, run.wishes("gate", asked_before(run)))
        _keep_result(run, evaluation, result.model_copy(update={"decided": choice}))
        return Go(quantity(count, "{n} breach to mend", "{n} breaches to mend"))
    if choice == SCENES_AGAIN:
        scenes = _chosen_scenes(run) or result.scenes
        return _send_back(work, evaluation, result.model_copy(update={"scenes": scenes}))
    if choice in ("draft-again", MEND):  # nothing that the surgeon may mend is left
        whole = result.verdict is GateVerdict.PAUSE
        if result.verdict is GateVerdict.POLISH:
            scenes = _scenes_of(run, _faults_no_polish_mends(evaluation))
            result = result.model_copy(update={"scenes": scenes})
        scope = result.model_copy(update={"scenes": ()}) if whole else result
        return _send_back(work, evaluation, scope)
    if choice == "polish":
        _keep_result(run, evaluation, result.model_copy(update={"decided": choice}))
        _pass_through(run, polished=True)
        return Back(said("polish"))
    decision = choice if result.verdict not in (GateVerdict.PASS, GateVerdict.UNJUDGED) else ""
    _keep_result(run, evaluation, result.model_copy(update={"decided": decision}))
    _pass_through(run)
    return Go(Said(result.verdict.value))


def _answered_question(work: Work, evaluation: Evaluation, result: GateResult) -> Decision | None:
    """Returns the question that she answered; None where a mode did."""
    decision = _decision(work, evaluation, evaluation.gate or result)
    return decision if work.run.checkpoint.answer_to(decision.id) is not None else None


def _chosen_scenes(run: ChapterRun) -> tuple[int, ...]:
    """Returns the scenes that the writer's note begins with; empty if it names none of the
    chapter."""
    answer = run.checkpoint.answer_to(run.decision_id("gate", asked_before(run)))
    match = _NUMBERS.match(answer.note) if answer is not None else None
    numbers = {int(word) for word in re.findall(r"\d+", match[1])} if match else set()
    return tuple(sorted(n for n in numbers if 1 <= n <= run.scenes.count))


def _send_back(work: Work, evaluation: Evaluation, result: GateResult) -> Step:
    """Sends the chapter back to the drafter, on the deep role, with the findings as notes (seed
    B6)."""
    run = work.run
    keep_own_paragraphs(run, run.variations)
    number = run.lap + 1
    general, by_scene = _notes_by_scene(run.scenes, evaluation, run.pack.language)
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


def _notes(
    scenes: TextScenes, evaluation: Evaluation, language: str
) -> list[tuple[int | None, str]]:
    """Returns what a new draft must heed, in the novel's language, each with its scene; None for
    what concerns them all. The words of a breach say which scene it is in, whatever number the
    judge gave."""
    where = [_scene_of(scenes, v) for v in _breaches_to_heed(evaluation)]
    where += [scene for _name, _reason, scene in _weak(evaluation)]
    notes = [words_for_the_book(note, language) for note in _notes_to_read(evaluation)]
    return list(zip(where, notes, strict=False))


def _notes_to_read(evaluation: Evaluation) -> list[str]:
    """Returns the same notes for the writer, in her words for layers, certainty and scores."""
    notes = [
        said(
            "{layer}, {sure}: {breach}",
            layer=LAYER_WORDS[v.layer],
            sure=CONFIDENCE_WORDS[v.confidence],
            breach=breach(v.rule, v.quote, v.explanation)[:_LONGEST_BREACH],
        )
        for v in _breaches_to_heed(evaluation)
    ]
    notes += [
        said("{score}: {reason}", score=Said(name), reason=reason[:_LONGEST_NOTE])
        for name, reason, _scene in _weak(evaluation)
    ]
    return list(notes[:_MOST_NOTES])


def _what_a_polish_is_for(evaluation: Evaluation, recommended: str) -> list[str]:
    """Returns the lowest scores with their reasons, where the chapter is to be polished and none is
    weak by itself: a polish that says not of what is none she can decide on."""
    if recommended != "polish" or evaluation.scores is None:
        return []
    below = [(name, one) for name, one in evaluation.scores.items() if one.score < PASS_AT]
    lowest = sorted(below, key=lambda item: item[1].score)[:_MOST_REASONS]
    return [
        said(
            "{score} {points}: {reason}",
            score=Said(name.replace("_", " ")),
            points=score_words(one.score),
            reason=one.reason[:_LONGEST_NOTE],
        )
        for name, one in lowest
        if one.reason
    ]


def _breaches_to_heed(evaluation: Evaluation) -> list[Violation]:
    """Returns the breaches that a new draft must heed."""
    there = [v for v in evaluation.violations if v.state == "stands"]
    return [v for v in there if v.confidence == "high" or v.scene is not None]


_Weakness = tuple[str, str, int | None]
"""The name, reason and scene of a weak score."""


def _faults_no_polish_mends(evaluation: Evaluation) -> list[_Weakness]:
    """Returns the weak scores that say what is told is at fault, not how."""
    return [weak for weak in _weak(evaluation) if weak[0] in _NO_POLISH_MENDS]


def _scenes_of(run: ChapterRun, faults: list[_Weakness]) -> tuple[int, ...]:
    """Returns the scenes that these faults are in; empty, which means all, where one is in none
    or in a scene that the chapter does not have."""
    scenes = {scene for _name, _reason, scene in faults}
    there = tuple(sorted(n for n in scenes if n is not None and 1 <= n <= run.scenes.count))
    return there if len(there) == len(scenes) else ()


def _weak(evaluation: Evaluation) -> list[tuple[str, str, int | None]]:
    """Returns the name, reason and scene of every weak score."""
    scores = evaluation.scores.items() if evaluation.scores is not None else ()
    return [
        (name.replace("_", " "), score.reason, score.scene)
        for name, score in scores
        if score.score < WEAK_SCORE and score.reason
    ]


def _scene_of(scenes: TextScenes, violation: Violation) -> int | None:
    passage = passage_of_breach(scenes.chapter, violation)
    return scenes.number_of(passage[0]) if passage else violation.scene


def _notes_by_scene(
    scenes: TextScenes, evaluation: Evaluation, language: str
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Returns the notes for every scene, and those of single scenes by their numbers."""
    notes = _notes(scenes, evaluation, language)
    numbers = dict.fromkeys(scene for scene, _ in notes if scene is not None)
    by_scene = {str(n): tuple(note for scene, note in notes if scene == n) for n in numbers}
    return tuple(note for scene, note in notes if scene is None), by_scene


def _keep_result(run: ChapterRun, evaluation: Evaluation, result: GateResult) -> None:
    if evaluation.gate != result:
        run.staged.put_evaluation(evaluation.model_copy(update={"gate": result}))


def _pass_through(run: ChapterRun, polished: bool = False) -> None:
    if polished:
        run.save(polished=True)
    record = run.records.record_gate(run.current.sha256, _judged_sha256(run))
    run.record(record, PipelineStage.GATED)
