"""A breach that is mended where it stands: one that names its words is a task for the surgeon, and
no reason to draft a scene again (CONTRACTS 7).

Mending is tried once a chapter. What is then still broken, a second breach in the same scene, and
a breach without words go to the drafter (seed B6).
"""

from __future__ import annotations

from studio.messages import said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.judging.measures import announce
from studio.pipeline.judging.placement import places_of
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.review.rounds import reading_of, taken_ids
from studio.pipeline.review.surgeon import first_question
from studio.pipeline.stage import Sight
from studio.quotation_marks import put_in_quotes
from studio.story.chapter import Chapter, Paragraph, passage_text, sha256_of
from studio.story.checkpoint import Trigger, move
from studio.story.review.directive import Directive, DirectiveType, directive_id
from studio.story.review.evaluation import LAYER_WORDS, Evaluation, Violation
from studio.story.review.operations import OPERATIONS
from studio.story.review.passages_in_changed_text import SearchableChapter, location_of
from studio.story.review.stale_directives import relocate
from studio.story.status import APPROVED_STATUSES, Acceptance, DirectiveStatus

MEND = "mend"
"""The gate's answer by which the surgeon mends a breach where it stands."""
_TYPE = DirectiveType.FACT_CORRECTION

_AGAINST = {
    "L1": said("Against a rule of the world: {why}"),
    "L2": said("Against what a character is: {why}"),
    "L3": said("Against the plan of the chapter: {why}"),
    "LS": said("Against the storyline: {why}"),
}
"""What a mending is for: the reason is the judge's, and no part of the rule."""
_STOPS = tuple(".!?…。！？”\"'’」』")
"""The marks with which a sentence, or a rule that quotes one, may end."""


def mendable(run: ChapterView, evaluation: Evaluation) -> tuple[Violation, ...]:
    """Returns the breaches that the surgeon may mend: all that force a revision, or none of
    them."""
    profile = run.profile
    if profile is None or profile.rewrites != "well" or was_tried(run):
        return ()
    breaches = evaluation.open_high_violations
    passages = [passage_of_breach(run.current, breach) for breach in breaches]
    scenes = [passage[0].scene for passage in passages if passage]
    return breaches if len(set(scenes)) == len(breaches) else ()


def was_tried(view: ChapterView) -> bool:
    """Whether a breach of this chapter was to be mended before."""
    return view.records.newest(MEND) is not None


def was_mended_by_her(view: ChapterView) -> bool:
    """Whether she had a breach of this draft mended when the gate asked her; a mode asks nobody."""
    about = view.decision_id("gate").rpartition("-")[0]
    return view.records.newest(MEND, view.lap) is not None and any(
        answer.option == MEND and answer.id.startswith(f"{about}-")
        for answer in view.checkpoint.answers
    )


def asked_before(view: ChapterView) -> str:
    """Returns what sets the gate's question apart from one about the same text that was
    answered."""
    again = "mended" if was_tried(view) else ""
    return " ".join(filter(None, (reading_of(view), again)))


def passage_of_breach(chapter: Chapter, breach: Violation) -> tuple[Paragraph, ...]:
    """Returns the paragraphs that hold the words of a breach; none where they stand nowhere, or
    are more than the surgeon may change."""
    places = places_of(chapter.text, breach.quote)
    if not places:
        return ()
    start, end = places[0]
    passage = tuple(p for p in chapter.paragraphs if p.start < end and start < p.end)
    is_one_scene = len({p.scene for p in passage}) == 1
    return passage if is_one_scene and len(passage) <= OPERATIONS[_TYPE].max_scope else ()


def begin_to_mend(run: ChapterRun, breaches: tuple[Violation, ...], wishes: tuple[str, ...]) -> int:
    """Puts one approved directive a breach on the sheet, counted as a revision, and returns how
    many. The surgeon takes them up at once; the record keeps a second try from being made."""
    sheet, ids = run.sheet(), taken_ids(run, run.sheet().directives, run.current)
    by: Acceptance = "name" if run.review == "ask" else "mode"
    ground = SearchableChapter(run.current)
    made: list[Directive] = []
    for breach in breaches:
        name = _free_id(ids)
        ids.add(name)
        directive = _directive(run.current, breach, name, wishes).copy_with(
            status=DirectiveStatus.ACCEPTED, accepted_by=by
        )
        made.append(relocate(directive, ground))
    record = run.records.record_mending(run.current.sha256, [d.id for d in made])
    run.staged.put_sheet(sheet.copy_with(directives=(*sheet.directives, *made)))
    run.save(
        stage_records=run.records.add(record),
        revision_count=run.checkpoint.revision_count + 1,
        orchestrator_state=move(run.checkpoint, Trigger.REVISE).orchestrator_state,
    )
    for directive in made:
        announce(run, directive)
    return len(made)


def questions_of_mending(work: Sight) -> list[Question]:
    """Returns the surgeon's questions that mend the breaches of a chapter, as they would be asked
    now."""
    chapter, evaluation = work.run.current, work.run.staged.evaluation()
    breaches = evaluation.open_high_violations if evaluation is not None else ()
    directives = (
        _directive(chapter, breach, directive_id(_TYPE, 1), ())
        for breach in breaches
        if passage_of_breach(chapter, breach)
    )
    questions = (first_question(work, directive) for directive in directives)
    return [question for question in questions if question is not None]


def is_mending(run: ChapterRun) -> bool:
    """Whether the surgeon has not finished what the gate had it mend."""
    record, reading = run.records.newest(MEND), run.records.newest("judge")
    sheet = run.staged.sheet()
    if record is None or sheet is None or run.review == "reject":
        return False
    if reading is not None and run.records.is_later(reading, record):
        return False
    waiting = {d.id for d in sheet.directives if d.status in APPROVED_STATUSES}
    waits = any(name in waiting for name in record.notes)
    return waits or run.records.is_round_begun(run.checkpoint.surgery_round)


def _with_its_stop(rule: str) -> str:
    """Returns a rule as a sentence that others can follow."""
    words = rule.strip()
    return words if words.endswith(_STOPS) else f"{words}."


def _free_id(ids: set[str]) -> str:
    number = 1
    while directive_id(_TYPE, number) in ids:
        number += 1
    return directive_id(_TYPE, number)


def _directive(
    chapter: Chapter, breach: Violation, name: str, wishes: tuple[str, ...]
) -> Directive:
    passage = passage_of_breach(chapter, breach)
    text = passage_text(passage)
    start = places_of(chapter.text, breach.quote)[0]
    words = chapter.text[start[0] : start[1]]
    why = breach.explanation.strip()
    return Directive(
        id=name,
        type=_TYPE,
        priority=OPERATIONS[_TYPE].priority,
        location=location_of(passage),
        # The rule itself stands in the instruction.
        issue=_AGAINST[breach.layer].with_values(why=why) if why else LAYER_WORDS[breach.layer],
        current_text=text,
        instruction=said(
            "Mend “{words}” where it stands, so that it no longer breaks this rule: {rule} Leave"
            " everything else as it is.",
            words=put_in_quotes(words)[1:-1],
            rule=_with_its_stop(breach.rule),
        ),
        max_scope=len(passage),
        source_sha256=sha256_of(text),
        origin="judge",
        evidence=(words,),
        note="\n".join(wishes),
    )
