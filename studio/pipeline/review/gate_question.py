"""The gate's question, and how it stands once the text is another (CONTRACTS 7).

What asks nobody but code is decided anew from the text there is, whoever changed it: a breach whose
words are gone holds nothing up any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from studio.messages import Said, join, readable, said, series
from studio.pipeline.chapter.own_text import what_is_kept
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.judging.gate import WEAK_SCORE, GateInput, band, judge_gate
from studio.pipeline.judging.relocate import looked_for
from studio.pipeline.review.changed_since_judged import (
    is_judgement_overtaken,
    sentence_of_changes,
)
from studio.pipeline.review.mending import (
    MEND,
    asked_before,
    mendable,
    passage_of_breach,
    was_mended_by_her,
)
from studio.pipeline.review.polish import PolishNote, polish_notes
from studio.pipeline.review.question import (
    LOOK_AGAIN,
    READ_AGAIN,
    open_choices,
    taking_as_it_is,
)
from studio.pipeline.review.rounds import can_be_judged
from studio.story.checkpoint import Decision
from studio.story.form.document import Words
from studio.story.review.evaluation import (
    CONFIDENCE_WORDS,
    LAYER_WORDS,
    Evaluation,
    GateResult,
    GateVerdict,
)
from studio.text.prose.answer import breach, excerpt

SCENES_AGAIN, KEEP, REVIEW = "draft-scenes", "keep", "review"
_CONSEQUENCES = {
    "polish": said(
        "A line editor reads the chapter with these notes. Its small changes wait in the review,"
        " and your text stays as it is until you take one."
    ),
    "draft-again": said("Draft the named scenes again, with these notes."),
    "review": said("Go on to the review with the text as it is."),
    "edit": said("Change the text yourself, then go on; it counts as your own from then on."),
    MEND: said("Mend the sentence where it stands; the rest stays. It is read again after that."),
}
_BY_NO_NOTE = said("Draft it again. The reading names nothing that is to be better.")
"""The consequence of a new draft where there are no notes for it."""
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
_MOST_REASONS, _LONGEST_REASON = 3, 120
"""The most faults that open a question, and characters of each: what she answers to she has to have
read, and all of it stands below."""
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
    """Returns why nobody can polish the chapter; empty if somebody can."""
    if run.settings.refine.on == "off":
        return said("refining is switched off, so nobody polishes its language")
    if run.profile is None or run.profile.rewrites != "well":
        return said("this model is too small to polish its language")
    return ""


def why_no_polish(view: ChapterView, evaluation: Evaluation) -> str:
    """Returns why the language is not looked at once more; empty if it is to be, or if she is to
    say what becomes of a fault that no polish mends. A score alone is nothing to mend."""
    if why := why_unpolished(view):
        return why
    if was_mended_by_her(view):
        return said("you have answered about this draft, and what is left stands in the review")
    if polish_notes(view, evaluation) or faults_no_polish_mends(evaluation):
        return ""
    return said("nothing is named that a polish of its language would mend")


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
            unpolished=why_no_polish(view, evaluation),
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
    evaluation = evaluation.copy_with(violations=violations)
    return gate_question(view, evaluation, gate_result(view, evaluation))


def gate_question(
    run: ChapterView, evaluation: Evaluation, result: GateResult, *, may_mend: bool = True
) -> Decision:
    """Returns what the writer is asked where code alone may not decide; the surgeon mends nothing
    unless it `may_mend`."""
    notes = [note.to_read for note in notes_of(run, evaluation, result)]
    opening = _opening(evaluation, result)
    first, is_polish = notes, result.verdict is GateVerdict.POLISH
    if is_polish and (faults := faults_no_polish_mends(evaluation)):
        result = result.copy_with(scenes=scenes_of(run, faults))
        opening, first, is_polish = _NOT_BY_POLISH, _in_words(faults), False
    options, recommended = _options(run, evaluation, result.verdict)
    if result.verdict is GateVerdict.REVISE and may_mend and mendable(run, evaluation):
        options = (MEND, *options) if _is_only_breach(evaluation) else (*options, MEND)
        recommended = recommended if run.checkpoint.own_text else options[0]
    reasons = (*_first_of(first, opening), *result.reasons)
    is_changed = is_judgement_overtaken(run)
    if is_changed and can_be_judged(run) and result.verdict not in LEADS_ON:
        options, recommended = (LOOK_AGAIN, *options), LOOK_AGAIN
    where: Said | str = said("the whole chapter")
    if is_polish and not result.scenes:
        where = ""  # each note says its place
    if result.scenes:
        words = said("scenes {numbers}") if len(result.scenes) > 1 else said("scene {numbers}")
        where = words.with_values(numbers=series(result.scenes))
    consequences = _what_each_does(run, evaluation, result, has_notes=bool(notes))
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
            "notes": notes,
            "violations": _violations(evaluation),
            "revision": run.checkpoint.revision_count,
            "options": {name: consequences[name] for name in options},
        },
    )


def _what_each_does(
    run: ChapterView, evaluation: Evaluation, result: GateResult, *, has_notes: bool
) -> dict[str, str]:
    """Returns what every answer that may be given here leads to."""
    is_pause = result.verdict is GateVerdict.PAUSE and not run.checkpoint.own_text
    consequences: dict[str, str] = {
        **_CONSEQUENCES,
        KEEP: taking_as_it_is(run.sheet(), open_choices(evaluation, run.current)),
        LOOK_AGAIN: READ_AGAIN,
    }
    if is_pause or not result.scenes:
        consequences |= _AT_A_PAUSE
    if not has_notes:
        consequences["draft-again"] = _BY_NO_NOTE
    if places := _proposed_there(run, evaluation):
        also = said("A fix for this place is among its proposals ({places}).", places=places)
        consequences[REVIEW] = join((consequences[REVIEW], also))
    scenes = {"draft-again": () if is_pause else result.scenes, SCENES_AGAIN: result.scenes}
    for option in scenes.keys() & consequences.keys():
        consequences[option] = join((consequences[option], what_is_kept(run, scenes[option])))
    return consequences


def _proposed_there(run: ChapterView, evaluation: Evaluation) -> str:
    """Returns the places of the proposals about paragraphs that hold a broken rule: what the gate
    asks about, the review asks about as well."""
    sheet = run.staged.sheet()
    broken = {
        (paragraph.scene, paragraph.number)
        for breach in evaluation.open_high_violations
        for paragraph in passage_of_breach(run.current, breach)
    }
    there = [
        f"{at.scene_number}.{at.paragraph_start}"
        for at in (d.location for d in (sheet.directives if sheet else ()) if d.is_pending)
        for number in range(at.paragraph_start, at.paragraph_end + 1)
        if (at.scene_number, number) in broken
    ]
    return series(dict.fromkeys(there)) if there else ""


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


def _options(
    run: ChapterView, evaluation: Evaluation, verdict: GateVerdict
) -> tuple[tuple[str, ...], str]:
    if verdict in LEADS_ON:
        return (REVIEW,), REVIEW
    if run.checkpoint.own_text:
        return (REVIEW, KEEP, "edit"), REVIEW
    if verdict is GateVerdict.POLISH:
        return _options_of_polish(run, evaluation)
    if verdict is GateVerdict.PAUSE and run.scenes.count > 1:
        return ("draft-again", SCENES_AGAIN, "review", "keep", "edit"), "draft-again"
    return ("draft-again", "review", "keep", "edit"), "draft-again"


def _options_of_polish(run: ChapterView, evaluation: Evaluation) -> tuple[tuple[str, ...], str]:
    """Returns the answers, and the proposed one, where the score asks for a polish: none where it
    has nothing to mend, and a new draft first where the fault is in what is told."""
    polish = ("polish",) if polish_notes(run, evaluation) else ()
    is_draft_left = run.checkpoint.revision_count < run.settings.gate.revisions
    if faults_no_polish_mends(evaluation) and is_draft_left:
        return ("draft-again", *polish, "review", "keep", "edit"), "draft-again"
    options = (*polish, "review", "draft-again", "keep", "edit")
    return options, options[0]


class ToHeed(NamedTuple):
    """What is to be better: the scene it is in, None for all of them, and its words."""

    scene: int | None
    words: Words
    to_read: str
    """The same for the writer, who is told its place."""


def notes_of(run: ChapterView, evaluation: Evaluation, result: GateResult) -> list[ToHeed]:
    """Returns what a question shows, and an answer to it hands on: where the language is to be
    looked at once more, what is to be better in it as well. The words of a breach say which scene
    it is in, whatever number the judge gave."""
    notes = [
        ToHeed(note.scene or None, note.words, note.to_read())
        for note in notes_of_polish(run, evaluation, result)
    ]
    for v in evaluation.violations:
        if v.state != "stands" or (v.confidence != "high" and v.scene is None):
            continue
        words = said(
            "{layer}, {sure}: {breach}",
            layer=LAYER_WORDS[v.layer],
            sure=CONFIDENCE_WORDS[v.confidence],
            breach=breach(v.rule, v.quote, v.explanation)[:_LONGEST_BREACH],
        )
        passage = passage_of_breach(run.scenes.chapter, v)
        scene = run.scenes.number_of(passage[0]) if passage else v.scene
        notes.append(ToHeed(scene, words, words))
    weak = weak_scores(evaluation)
    notes += [
        ToHeed(one[2], words, words) for one, words in zip(weak, _in_words(weak), strict=True)
    ]
    return notes[:_MOST_NOTES]


def notes_of_polish(
    run: ChapterView, evaluation: Evaluation, result: GateResult
) -> tuple[PolishNote, ...]:
    """Returns what is to be better in the language beside the reasons of weak scores, where the
    verdict asks for a polish."""
    if result.verdict is not GateVerdict.POLISH:
        return ()
    heard = {reason for _name, reason, _scene in weak_scores(evaluation)}
    return tuple(note for note in polish_notes(run, evaluation) if note.words not in heard)


def _first_of(notes: list[str], opening: Said) -> list[str]:
    """Returns the first notes as reasons, as short as a small screen has them; none where a broken
    rule is named."""
    return [] if opening == _BROKEN else [_short(note) for note in notes[:_MOST_REASONS]]


def _short(note: str) -> str:
    if not isinstance(note, Said) or not isinstance(note.values, Mapping):
        return excerpt(note, _LONGEST_REASON).rstrip(".。")
    words = {name: _short(v) for name, v in note.values.items() if type(v) is str}
    return note.with_values(**words)


def _in_words(weak: list[_Weakness]) -> list[str]:
    return [
        said("{score}: {reason}", score=Said(name), reason=reason[:_LONGEST_NOTE])
        for name, reason, _scene in weak
    ]


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
    """Returns of every weak score its name, what is to be better, and its scene."""
    scores = evaluation.scores.items() if evaluation.scores is not None else ()
    return [
        (name.replace("_", " "), score.to_mend, score.scene)
        for name, score in scores
        if score.score < WEAK_SCORE and score.to_mend
    ]
