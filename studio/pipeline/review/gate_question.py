"""The gate's question, and how it stands once the text is another (CONTRACTS 7).

What asks nobody but code is decided anew from the text there is, whoever changed it: a breach whose
words are gone holds nothing up any more.
"""

from __future__ import annotations

from collections.abc import Mapping

from studio.messages import Said, join, readable, said, series
from studio.pipeline.chapter.own_text import what_is_kept
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.judging.gate import PASS_AT, WEAK_SCORE, GateInput, band, judge_gate
from studio.pipeline.judging.relocate import looked_for
from studio.pipeline.review.changed_since_judged import (
    is_judgement_overtaken,
    sentence_of_changes,
)
from studio.pipeline.review.mending import MEND, asked_before, mendable
from studio.pipeline.review.question import (
    LOOK_AGAIN,
    READ_AGAIN,
    open_choices,
    taking_as_it_is,
)
from studio.pipeline.review.rounds import can_be_judged
from studio.story.checkpoint import Decision
from studio.story.review.evaluation import (
    CONFIDENCE_WORDS,
    LAYER_WORDS,
    Evaluation,
    GateResult,
    GateVerdict,
    Violation,
)
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
LEADS_ON = frozenset({GateVerdict.PASS, GateVerdict.UNJUDGED})
"""The verdicts after which nobody is asked anything before the review."""
_MOST_NOTES, _LONGEST_NOTE, _LONGEST_BREACH = 24, 600, 550
"""The most notes that go with a new draft, and characters of each. Notes are never dropped from
its prompt, and a judge that finds endless faults must not make that prompt too large for any
model."""
_MOST_REASONS = 3
"""The lowest scores that a question names where none is weak."""
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


def why_unpolished(run: ChapterView) -> str:
    """Returns why nobody polishes the chapter; empty if somebody does."""
    if run.settings.refine.on == "off":
        return said("refining is switched off, so nobody polishes its language")
    if run.profile is None or run.profile.rewrites != "well":
        return said("this model is too small to polish its language")
    return ""


def gate_result(view: ChapterView, evaluation: Evaluation) -> GateResult:
    """Returns where an evaluation leads the chapter, by code alone."""
    return judge_gate(
        GateInput(
            scores=evaluation.scores,
            overall=evaluation.overall,
            violations=evaluation.violations,
            revisions_done=view.checkpoint.revision_count,
            revisions_allowed=view.settings.gate.revisions,
            polished=view.checkpoint.polished,
            unpolished=why_unpolished(view),
            own_text=view.checkpoint.own_text,
            scene_count=view.scenes.count,
            warnings=evaluation.warnings,
        )
    )


def as_it_stands(view: ChapterView, question: Decision) -> Decision:
    """Returns the gate's waiting question as it is about the present text: what rests on words that
    are gone is in it no longer. Any other question, and one about this very text, is as it was."""
    evaluation = view.staged.evaluation()
    if question.kind != "gate" or view.text is None or evaluation is None:
        return question
    if f"-{view.text.sha256[:8]}" in question.id:
        return question
    violations = tuple(looked_for(v, view.text) for v in evaluation.violations)
    evaluation = evaluation.model_copy(update={"violations": violations})
    return gate_question(view, evaluation, gate_result(view, evaluation))


def gate_question(
    run: ChapterView, evaluation: Evaluation, result: GateResult, *, may_mend: bool = True
) -> Decision:
    """Returns what the writer is asked where code alone may not decide; the surgeon mends nothing
    unless it `may_mend`."""
    options, recommended = _options(run, result.verdict)
    opening, reasons = _opening(evaluation, result), result.reasons
    if recommended == "polish" and (faults := faults_no_polish_mends(evaluation)):
        result = result.model_copy(update={"scenes": scenes_of(run, faults)})
        opening = _NOT_BY_POLISH
        reasons = (*(Said(name) for name, _reason, _scene in faults), *reasons)
        if run.checkpoint.revision_count < run.settings.gate.revisions:
            others = (option for option in options if option != "draft-again")
            options, recommended = ("draft-again", *others), "draft-again"
    if result.verdict is GateVerdict.REVISE and may_mend and mendable(run, evaluation):
        options = (MEND, *options) if _is_only_breach(evaluation) else (*options, MEND)
        recommended = recommended if run.checkpoint.own_text else options[0]
    is_changed = is_judgement_overtaken(run)
    if is_changed and can_be_judged(run) and result.verdict not in LEADS_ON:
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
            "notes": notes_to_read(evaluation) or _what_a_polish_is_for(evaluation, recommended),
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


def _options(run: ChapterView, verdict: GateVerdict) -> tuple[tuple[str, ...], str]:
    if verdict in LEADS_ON:
        return (REVIEW,), REVIEW
    if run.checkpoint.own_text:
        return (REVIEW, KEEP, "edit"), REVIEW
    if verdict is GateVerdict.POLISH:
        return ("polish", "review", "draft-again", "keep", "edit"), "polish"
    if verdict is GateVerdict.PAUSE and run.scenes.count > 1:
        return ("draft-again", SCENES_AGAIN, "review", "keep", "edit"), "draft-again"
    return ("draft-again", "review", "keep", "edit"), "draft-again"


def notes_to_read(evaluation: Evaluation) -> list[str]:
    """Returns the same notes for the writer, in her words for layers, certainty and scores."""
    notes = [
        said(
            "{layer}, {sure}: {breach}",
            layer=LAYER_WORDS[v.layer],
            sure=CONFIDENCE_WORDS[v.confidence],
            breach=breach(v.rule, v.quote, v.explanation)[:_LONGEST_BREACH],
        )
        for v in breaches_to_heed(evaluation)
    ]
    notes += [
        said("{score}: {reason}", score=Said(name), reason=reason[:_LONGEST_NOTE])
        for name, reason, _scene in weak_scores(evaluation)
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


def breaches_to_heed(evaluation: Evaluation) -> list[Violation]:
    """Returns the breaches that a new draft must heed."""
    there = [v for v in evaluation.violations if v.state == "stands"]
    return [v for v in there if v.confidence == "high" or v.scene is not None]


_Weakness = tuple[str, str, int | None]
"""The name, reason and scene of a weak score."""


def faults_no_polish_mends(evaluation: Evaluation) -> list[_Weakness]:
    """Returns the weak scores that say what is told is at fault, not how."""
    return [weak for weak in weak_scores(evaluation) if weak[0] in _NO_POLISH_MENDS]


def scenes_of(run: ChapterView, faults: list[_Weakness]) -> tuple[int, ...]:
    """Returns the scenes that these faults are in; empty, which means all, where one is in none
    or in a scene that the chapter does not have."""
    scenes = {scene for _name, _reason, scene in faults}
    there = tuple(sorted(n for n in scenes if n is not None and 1 <= n <= run.scenes.count))
    return there if len(there) == len(scenes) else ()


def weak_scores(evaluation: Evaluation) -> list[tuple[str, str, int | None]]:
    """Returns the name, reason and scene of every weak score."""
    scores = evaluation.scores.items() if evaluation.scores is not None else ()
    return [
        (name.replace("_", " "), score.reason, score.scene)
        for name, score in scores
        if score.score < WEAK_SCORE and score.reason
    ]
