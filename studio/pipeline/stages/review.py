"""Review: the writer decides on each directive, and on the chapter.

In ask mode no chapter is committed unread. The other review modes take the decisions that `studio
directives` would otherwise record.
"""

from __future__ import annotations

from collections.abc import Sequence

from studio.errors import StudioError
from studio.messages import join, said
from studio.pipeline.chapter.own_text import what_is_kept
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import StageName
from studio.pipeline.judging.measures import announce
from studio.pipeline.judging.placement import places_of
from studio.pipeline.judging.relocate import refresh
from studio.pipeline.review.changed_since_judged import (
    said_of_changes,
)
from studio.pipeline.review.decisions import REJECTED_BY_MODE, reject
from studio.pipeline.review.question import (
    AGAIN,
    LOOK_AGAIN,
    going_back,
    length_in_review,
    open_choices,
    open_in,
    options_of,
    rationale_of,
    target_of,
)
from studio.pipeline.review.rounds import look_again, may_look_again, next_round, reading_of
from studio.pipeline.review.to_remember import new_findings, promises_of, what_she_knows
from studio.pipeline.review.undo import not_taken_back, without_fix
from studio.pipeline.stage import AskWriter, Back, Go, Step, Work
from studio.project.history.reasons import Reason
from studio.story.checkpoint import Decision, PipelineStage, Revision
from studio.story.form.document import to_jsonable
from studio.story.lengths import unit_in
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.evaluation import GateVerdict
from studio.story.review.stale_directives import relocate_sheet
from studio.story.status import DirectiveStatus


class ReviewStage:
    """The stage in which the writer decides."""

    name: StageName = "review"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Returns a reason if this very text was reviewed, nothing waits for the surgeon, and the
        summary made of it since found nothing new; else None."""
        text = run.text
        record = run.lineage.reader("review")
        if text is None or record is None or record.input_sha256 != text.sha256:
            return None
        if run.review == "ask" and new_findings(run):
            return None
        return None if run.sheet().approved_directives else "reviewed"

    async def work(self, work: Work) -> Step:
        """Decides what the mode may decide and asks for the rest."""
        run = work.run
        refresh(run)
        if run.evaluation().kept_as_is and not self._holds(run):
            return self._through(run, said("kept as it is"))
        if self._decide_by_mode(run):
            return Back(said("directives decided"))
        if run.review == "ask":
            return self._ask(run)
        if next_round(run):
            look_again(run)
            return Back(said("another round"))
        return self._through(run)

    def _holds(self, run: ChapterRun) -> bool:
        """Whether a chapter that is taken as it is waits for a choice only its writer can make."""
        return run.review == "ask" and open_choices(run.evaluation(), run.current) > 0

    def _decide_by_mode(self, run: ChapterRun) -> bool:
        """Accepts or rejects as the mode and `auto_accept` say; returns True if the surgeon has
        work.

        Reject mode rejects every directive that is not in the text, including those approved
        before.
        """
        sheet = run.sheet()
        auto = set(run.settings.review.auto_accept)
        pending = [d for d in sheet.open if d.is_pending]
        if run.review == "reject":
            doubtful = [d for d in sheet.open if d.is_doubtful]
            for directive in (*pending, *doubtful, *sheet.approved_directives):
                sheet = reject(sheet, directive, directive.note or REJECTED_BY_MODE)
                announce(run, sheet.find(directive.id) or directive)
        else:
            for directive in pending:
                if run.review == "accept" or directive.type.value in auto:
                    accepted = directive.copy_with(
                        status=DirectiveStatus.ACCEPTED, accepted_by="mode"
                    )
                    sheet = _set_directive(run, sheet, accepted)
        if sheet != run.sheet():
            run.staged.put_sheet(sheet)
        return bool(sheet.approved_directives)

    def _ask(self, run: ChapterRun) -> Step:
        if next_round(run) and not any(d.is_pending or d.is_doubtful for d in run.sheet().open):
            look_again(run)
            return Back(said("another round"))
        decision = _decision(run, run.sheet(), new_findings(run))
        option = run.answer(decision.id)
        if option is None:
            return AskWriter(decision)
        if option == AGAIN:
            return _draft_again(run, decision)
        if option == LOOK_AGAIN:
            look_again(run)
            return Back(said("look again"))
        if going_back(run.sheet()):
            self._take_back(run)
            return Back(said("fixes that did not help are taken back"))
        return self._through(run)

    def _take_back(self, run: ChapterRun) -> None:
        """Takes out fixes that did not help and that the writer, who was told so, neither
        accepted by name nor kept."""
        for directive in going_back(run.sheet()):
            sheet = run.sheet()
            try:
                before = without_fix(run.current, directive, sheet.directives)
                if not run.store.locks().all_stay(run.chapter, run.current, before):
                    raise not_taken_back(directive, said("you keep this passage as it is"))
            except StudioError as error:
                run.emit.warn(said("{why} It stays in the text.", why=error.problem.message))
                run.staged.put_sheet(
                    _set_directive(run, sheet, directive.copy_with(status=DirectiveStatus.KEPT))
                )
                continue
            guarded = directive.result is None or not directive.result.facts
            record = run.records.record_operation(
                run.current.sha256, before.sha256, guarded=guarded
            )
            run.record(record)
            taken_out = directive.copy_with(status=DirectiveStatus.UNDONE, undone_by="studio")
            undone = _set_directive(run, sheet, taken_out)
            run.staged.put_sheet(relocate_sheet(undone, before))
            run.put_text(before.text, record, reason=Reason.TAKEN_BACK)
        refresh(run)
        self._through(run)

    def _through(self, run: ChapterRun, note: str = "") -> Step:
        sheet = _without_cured(run, run.sheet())
        for directive in sheet.open:
            if directive.status is DirectiveStatus.APPLIED:
                sheet = _set_directive(run, sheet, directive.copy_with(status=DirectiveStatus.KEPT))
        run.staged.put_sheet(sheet)
        verdict = "REVISE" if sheet.open else "PASS"
        run.staged.put_evaluation(run.evaluation().copy_with(verdict=verdict))
        notes = what_she_knows(run)
        run.record(run.records.record_review(run.current.sha256, notes), PipelineStage.GATED)
        if run.lineage.overtaken("summarize") is not None:
            return Back(said("the summary is made once more"))
        return Go(note)


def _without_cured(run: ChapterRun, sheet: DirectiveSheet) -> DirectiveSheet:
    """Returns the sheet without what a mode took of which all the words that it names were put
    otherwise since: nobody is asked whether that is still to be done."""
    text = run.current.text
    left = tuple(
        directive
        for directive in sheet.directives
        if not (directive.is_doubtful and directive.accepted_by == "mode" and directive.evidence)
        or any(places_of(text, words) for words in directive.evidence)
    )
    return sheet.model_copy(update={"directives": left})


def _set_directive(run: ChapterRun, sheet: DirectiveSheet, directive: Directive) -> DirectiveSheet:
    announce(run, directive)
    return sheet.with_directive(directive)


def _decision(run: ChapterRun, sheet: DirectiveSheet, news: Sequence[str]) -> Decision:
    """Returns the review's question; `news` is what only the last summary, made after an earlier
    yes, says of the chapter: then it is another question."""
    others = ["edit"]
    if not run.checkpoint.own_text:
        others.append(AGAIN)
    if may_look_again(run):
        others.append(LOOK_AGAIN)
    evaluation, standing = run.evaluation(), promises_of(run)
    choices = open_choices(evaluation, run.current)
    put = options_of(sheet, choices, others)
    if AGAIN in others:
        words = put["consequences"]
        words[AGAIN] = join((words[AGAIN], what_is_kept(run)))
    changes = said_of_changes(run.store, run.checkpoint, run.text)
    of_summary = [one for one in news if one not in standing.sentences]
    if news:
        of_summary.insert(0, said("Its new summary says what you were not asked about yet:"))
    length = length_in_review(
        run.current,
        target_of(run),
        unit_in(run.settings),
        is_hers=bool(run.checkpoint.own_text),
    )
    about = (f"round {sheet.round}" if sheet.round > 1 else reading_of(run), *news)
    return Decision(
        id=run.decision_id("review", "\n".join(map(str, filter(None, about)))),
        kind="review",
        recommendation=put["recommendation"],
        options=put["options"],
        rationale=join(
            [
                *changes["since"],
                *of_summary,
                rationale_of(sheet, choices, has_news=bool(of_summary)),
                *standing.sentences,
                *length["sentences"],
            ]
        ),
        data={
            **open_in(sheet),
            **changes,
            "news": of_summary,
            "promises": to_jsonable(standing),
            "length": length,
            "suppressed": sheet.suppressed,
            "redraft_suggested": sheet.redraft_suggested,
            "overall": evaluation.overall,
            "unjudged": evaluation.gate is not None
            and evaluation.gate.verdict is GateVerdict.UNJUDGED,
            "options": put["consequences"],
        },
    )


def _draft_again(run: ChapterRun, decision: Decision) -> Step:
    number = run.lap + 1
    run.save(
        laps=number,
        revision=Revision(
            number=number, notes=run.wishes_in(decision.id), deep=False, asked=decision
        ),
        surgery_round=0,
        worked=(),
        pipeline_stage=PipelineStage.REVISING,
    )
    return Back(said("draft again"))
