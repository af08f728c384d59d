"""Review: the writer decides on each directive, and on the chapter.

In ask mode no chapter is committed unread. The review modes decide by
themselves what `studio directives` would be told.
"""

from __future__ import annotations

from studio.pipeline.assess import announce
from studio.pipeline.deciding import reject
from studio.pipeline.events import StageName
from studio.pipeline.measuring import next_round, refresh
from studio.pipeline.run import ChapterRun
from studio.pipeline.steps import Ask, Back, Go, Step, Work
from studio.story.checkpoint import Decision, PipelineStage, Revision, StageRecord
from studio.story.directive import (
    Directive,
    DirectiveSheet,
    DirectiveStatus,
)
from studio.story.evaluation import GateVerdict

_CONSEQUENCES = {
    "commit": "Take the chapter into the book as it stands; what is still open is left alone.",
    "edit": "Change the staged text yourself, then resume.",
    "draft-again": "Draft the chapter again; this text is kept as a variation.",
}


class Review:
    """The writer's turn."""

    name: StageName = "review"
    quiet = False

    def idle(self, run: ChapterRun) -> str | None:
        """Done when this very text was reviewed and nothing waits for the surgeon."""
        text = run.text
        record = run.lineage.reader("review")
        if text is None or record is None or record.input_sha256 != text.sha256:
            return None
        return None if run.sheet().approved else "reviewed"

    async def work(self, work: Work) -> Step:
        """Decides what the mode may decide and asks for the rest."""
        run = work.run
        refresh(run)
        if run.evaluation().kept_as_is:
            return self._through(run, "kept as it is")
        if self._decide_by_mode(run):
            return Back("directives decided")
        if run.options.review == "ask":
            return self._ask(run)
        if next_round(run):
            return Back("another round")
        return self._through(run)

    def _decide_by_mode(self, run: ChapterRun) -> bool:
        """Accepts or rejects what the mode and `auto_accept` say; True if the surgeon has work."""
        sheet = run.sheet()
        auto = set(run.settings.review.auto_accept)
        for directive in sheet.open:
            if directive.status is not DirectiveStatus.PENDING:
                continue
            if run.options.review == "accept" or directive.type.value in auto:
                sheet = _set(run, sheet, directive.updated(status=DirectiveStatus.ACCEPTED))
            elif run.options.review == "reject":
                sheet = reject(sheet, directive, "rejected by --review reject")
                announce(run, sheet.find(directive.id) or directive)
        if sheet != run.sheet():
            run.put_sheet(sheet)
        return bool(sheet.approved)

    def _ask(self, run: ChapterRun) -> Step:
        decision = _decision(run, run.sheet())
        chosen = run.answer(decision.id)
        if chosen is None:
            return Ask(decision)
        if chosen == "draft-again":
            return _draft_again(run, decision.id)
        return self._through(run)

    def _through(self, run: ChapterRun, note: str = "") -> Step:
        sheet = run.sheet()
        for directive in sheet.open:
            if directive.status is DirectiveStatus.APPLIED:
                sheet = _set(run, sheet, directive.updated(status=DirectiveStatus.KEPT))
        run.put_sheet(sheet)
        verdict = "REVISE" if sheet.open else "PASS"
        run.put_evaluation(run.evaluation().model_copy(update={"verdict": verdict}))
        sha256 = run.current.sha256
        run.record(
            StageRecord(stage="review", input_sha256=sha256, output_sha256=sha256, lap=run.lap),
            PipelineStage.GATED,
        )
        return Go(note)


def _set(run: ChapterRun, sheet: DirectiveSheet, directive: Directive) -> DirectiveSheet:
    announce(run, directive)
    return sheet.with_directive(directive)


def _decision(run: ChapterRun, sheet: DirectiveSheet) -> Decision:
    pending = [d.id for d in sheet.open if d.status is DirectiveStatus.PENDING]
    applied = [d.id for d in sheet.open if d.status is DirectiveStatus.APPLIED]
    options = ("commit", "edit") if run.checkpoint.own_text else ("commit", "edit", "draft-again")
    evaluation = run.evaluation()
    return Decision(
        id=run.decision_id("review"),
        kind="review",
        recommendation="commit",
        options=options,
        rationale=_rationale(pending, applied, sheet),
        data={
            "pending": pending,
            "applied": applied,
            "suppressed": sheet.suppressed,
            "redraft_suggested": sheet.redraft_suggested,
            "overall": evaluation.overall,
            "unjudged": evaluation.gate is not None
            and evaluation.gate.verdict is GateVerdict.UNJUDGED,
            "options": {name: _CONSEQUENCES[name] for name in options},
        },
    )


def _rationale(pending: list[str], applied: list[str], sheet: DirectiveSheet) -> str:
    told = []
    if pending:
        told.append(
            f"{_many(len(pending), 'directive waits', 'directives wait')} for your decision:"
            " accept, reject or edit each with `studio directives`, then `studio resume`."
        )
    if applied:
        told.append(
            f"{_many(len(applied), 'fix is', 'fixes are')} in the text: accept to keep it, undo to"
            " take it back."
        )
    if sheet.redraft_suggested:
        told.append("There was more than fits one review; a fresh draft may serve better.")
    return " ".join(told) or "Nothing is open. Read the chapter, then commit it."


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _draft_again(run: ChapterRun, decision_id: str) -> Step:
    answer = run.checkpoint.answer_to(decision_id)
    number = run.lap + 1
    run.save(
        laps=number,
        revision=Revision(
            number=number, notes=(answer.note,) if answer and answer.note else (), deep=False
        ),
        surgery_round=0,
        pipeline_stage=PipelineStage.REVISING,
    )
    return Back("draft again")
