"""Operate: the surgeon carries out what the writer approved, one directive at a time.

It is part of the review on the stage bar. Each fix is on the sheet before it is in the text, so
that an interrupted fix is finished and never done twice.
"""

from __future__ import annotations

from contextlib import suppress

from studio.errors import StudioError
from studio.messages import join, quantity, said
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import StageName
from studio.pipeline.judging.measures import announce
from studio.pipeline.review.breaker import ask_before
from studio.pipeline.review.decisions import reason_of
from studio.pipeline.review.fixes_kept import examine, is_unattended
from studio.pipeline.review.mending import is_mending
from studio.pipeline.review.rounds import paragraphs_changed, worked_on
from studio.pipeline.review.surgeon import Refused, operate
from studio.pipeline.review.undo import without_fix
from studio.pipeline.stage import AskWriter, Back, Go, Step, Work
from studio.project.author.book_length import count_her_words
from studio.project.history.reasons import Reason
from studio.story.chapter import Chapter, sha256_of
from studio.story.checkpoint import Decision, PipelineStage, StageRecord
from studio.story.review.directive import Directive, DirectiveType, Unplaced, words_for
from studio.story.review.operations import OPERATIONS
from studio.story.review.passages_in_changed_text import SearchableChapter
from studio.story.review.stale_directives import relocate_beside_fixes, was_changed_by_fixes
from studio.story.review.surgery import SurgeryResult
from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus
from studio.text.content import contradictions, outdated_clauses
from studio.text.guard import guarded_names

_HALF = 0.5
"""The share of a chapter's paragraphs beyond which surgery counts as rewriting (seed A22)."""


WORDS_GONE = said("another fix that was taken took the words that it speaks of out of the text")
"""Why a fix of hers is not done where another one was before it."""


class OperateStage:
    """The stage of the prose surgeon."""

    name: StageName = "review"
    quiet = True

    def idle(self, run: ChapterRun) -> str | None:
        """Returns a reason if nothing is approved and no fix is half done, else None."""
        sheet = run.staged.sheet()
        if sheet is None or (run.lineage.reader("gate") is None and not is_mending(run)):
            return said("nothing to operate")
        if _approved_fixes(run) or _round_is_open(run):
            return None
        if _half_done(run) is not None or _half_undone(run) is not None:
            return None
        return said("nothing to operate")

    async def work(self, work: Work) -> Step:
        """Finishes a half-done fix, then works through the approved directives by priority."""
        run = work.run
        half_done = _half_done(run)
        if half_done is not None:
            _finish(run, half_done)
        undone = _half_undone(run)
        if undone is not None:
            run.put_text(*undone, reason=Reason.TAKEN_BACK)
        if not _approved_fixes(run) and not _round_is_open(run):
            return Go()
        round_ = run.records.surgery_round(run.checkpoint.surgery_round)
        run.record(round_, PipelineStage.GATED)
        count = 0
        before = _share_touched(run)
        while approved := _approved_fixes(run):
            answer = ask_before(run, approved[0])
            if isinstance(answer, Decision):
                return AskWriter(answer)
            if answer is not None:
                await self._one(work, answer)
                count += 1
        run.save(surgery_round=run.checkpoint.surgery_round + 1)
        _warn_if_rewritten(run, before)
        return Back(quantity(count, "{n} directive", "{n} directives"))

    async def _one(self, work: Work, approved: Directive) -> None:
        run = work.run
        ground = SearchableChapter(run.current)
        directive = relocate_beside_fixes(approved, run.sheet().directives, ground)
        if directive.stands == "gone":
            _list_again(run, directive)
            return
        if directive.stands != "same":  # what she accepted was about other words
            if is_unattended(directive, run.review) or not _went_with_fixes(run, approved):
                _put(run, directive)
            else:
                _refuse(run, directive, WORDS_GONE)
            return
        at = directive.location
        passage = run.current.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
        try:
            after, result = await operate(work, directive, passage)
        except Refused as refused:
            worked_on(run, directive, changed=False)
            _refuse(run, directive, *refused.reasons)
            return
        await self._apply(work, directive, after, result)

    async def _apply(
        self, work: Work, directive: Directive, after: Chapter, result: SurgeryResult
    ) -> None:
        run = work.run
        reasons: list[str] = []
        attended = run.review == "ask"
        if is_unattended(directive, run.review):
            result, reasons = await examine(work, directive, result)
        is_hers = directive.status is DirectiveStatus.EDITED and directive.edited_text is not None
        # Nobody asks her whether she wants to keep what she wrote (WRITING 4).
        status = DirectiveStatus.APPLIED if attended and not is_hers else DirectiveStatus.KEPT
        if reasons:
            status = DirectiveStatus.UNDONE
        failures = (*directive.failures, *reasons)
        outcome = directive.copy_with(
            status=status,
            result=result,
            failures=failures,
            undone_by="studio" if reasons else None,
        )
        if status in IN_TEXT_STATUSES and not result.is_cut:
            at = result.location
            there = after.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
            outcome = outcome.copy_with(passage=SearchableChapter(after).passage(there))
        worked_on(run, directive, changed=not reasons)
        _put(run, outcome)
        if reasons:
            run.emit.warn(
                said(
                    "{name} was not kept: {why}.",
                    name=words_for(directive),
                    why=join(reasons, "; "),
                )
            )
        else:
            _write(run, outcome, after.text)


def _approved_fixes(run: ChapterRun) -> tuple[Directive, ...]:
    """Returns what the surgeon may work on now; nothing if all directives are to be rejected."""
    return () if run.review == "reject" else run.sheet().approved_directives


def _round_is_open(run: ChapterRun) -> bool:
    return run.records.is_round_begun(run.checkpoint.surgery_round)


def _with_failure(directive: Directive, *reasons: str) -> Directive:
    return directive.copy_with(
        status=DirectiveStatus.FAILED, failures=(*directive.failures, *reasons)
    )


def _refuse(run: ChapterRun, directive: Directive, *reasons: str) -> None:
    """Says once that a directive could not be carried out, and why."""
    _put(run, _with_failure(directive, *reasons))
    why = join(dict.fromkeys(reasons), "; ")
    run.emit.warn(
        said("The surgeon could not do {name}: {why}.", name=words_for(directive), why=why)
    )


def _went_with_fixes(run: ChapterRun, directive: Directive) -> bool:
    return was_changed_by_fixes(directive, run.sheet().directives, SearchableChapter(run.current))


def _list_again(run: ChapterRun, directive: Directive) -> None:
    """Lists a fix that was accepted and whose passage another fix took away among what could not be
    placed: she sees it open, and may say where it belongs now."""
    why = said("another change took its passage out of the text")
    at, quote = directive.location, " ".join(directive.evidence) or directive.current_text
    there = run.current.passage(at.scene_number, at.paragraph_start, at.paragraph_start)
    lost = Unplaced(
        type=directive.type.value,
        issue=directive.issue,
        instruction=directive.instruction,
        quote=quote,
        label=f"{at.scene_number}.{at.paragraph_start}" if there else "",
        why=why,
    )
    _put(run, _with_failure(directive, why))
    sheet = run.sheet()
    run.staged.put_sheet(sheet.copy_with(unplaced=(*sheet.unplaced, lost)))
    run.emit.warn(
        said("The surgeon could not do {name}: {why}.", name=words_for(directive), why=why)
    )


def _put(run: ChapterRun, directive: Directive) -> None:
    run.staged.put_sheet(run.sheet().with_directive(directive))
    announce(run, directive)


def _write(run: ChapterRun, directive: Directive, text: str) -> None:
    """Writes the chapter with a fix in it. A fix that changed facts (the writer's own words may)
    is not guarded, so what was derived from the text is derived again."""
    assert directive.result is not None
    guarded = _leaves_the_story(run, directive, directive.result)
    record = run.records.record_operation(run.current.sha256, sha256_of(text), guarded=guarded)
    run.put_text(text, record, reason=reason_of(directive))
    if directive.edited_text is not None and run.current.text == text:
        result = directive.result
        count_her_words(
            *(run.store, run.settings, run.pack, run.chapter, text),
            hers=result.after,
            others=(result.before,),
        )


def _leaves_the_story(run: ChapterRun, directive: Directive, result: SurgeryResult) -> bool:
    """Whether what was derived from the text is still true after a fix. A contradiction that is
    put right is a changed fact; and of a fix that she accepted by name the guards inform only, so
    that it may have changed what the summary tells (WRITING 5). So may a fix whose directive itself
    names the facts that it changes."""
    if directive.type is DirectiveType.FACT_CORRECTION:
        return False
    if directive.edited_text is not None and result.facts:
        return False
    row = OPERATIONS[directive.type]
    names_facts = bool(result.facts) and not (row.may_change or row.may_remove)
    if directive.accepted_by != "name" and not names_facts:
        return True
    names = guarded_names((), run.current.text, result.after, run.pack)
    outdates = outdated_clauses(result.before, result.after, run.staged.summary(), run.pack)
    return not outdates and not contradictions(result.before, result.after, run.pack, names)


def _half_done(run: ChapterRun) -> Directive | None:
    """Returns a fix that is on the sheet but was not in the text yet when the program ended.
    Once its round is over the text must have had it: then the old text is the writer's doing."""
    text = run.text
    if text is None or not _round_is_open(run):
        return None
    return next(
        (
            d
            for d in run.sheet().directives
            if d.status in IN_TEXT_STATUSES
            and d.result is not None
            and d.result.before_sha256 == text.sha256
        ),
        None,
    )


def _finish(run: ChapterRun, directive: Directive) -> None:
    result = directive.result
    assert result is not None
    text = run.current.text
    at = text.find(result.before)
    after = text[:at] + result.after + text[at + len(result.before) :]
    if at < 0 or sha256_of(after) != result.after_sha256:
        is_hers = directive.edited_text is not None
        approved = DirectiveStatus.EDITED if is_hers else DirectiveStatus.ACCEPTED
        _put(run, directive.copy_with(status=approved, result=None))
        return
    _write(run, directive, after)


def _half_undone(run: ChapterRun) -> tuple[str, StageRecord] | None:
    """Returns the text and record of an undo that was recorded but not in the text yet when the
    program ended."""
    record, text = run.records.last_operation, run.text
    if record is None or text is None or record.input_sha256 != text.sha256:
        return None
    for directive in run.sheet().directives:
        if directive.status is not DirectiveStatus.UNDONE or directive.result is None:
            continue
        with suppress(StudioError):
            before = without_fix(text, directive, run.sheet().directives)
            if before.sha256 == record.output_sha256:
                return before.text, record
    return None


def _share_touched(run: ChapterRun) -> float:
    total = len(run.current.paragraphs)
    return len(paragraphs_changed(run.checkpoint.worked)) / total if total else 0.0


def _warn_if_rewritten(run: ChapterRun, before: float) -> None:
    """Warns once that surgery has become rewriting, however many rounds it took."""
    if before <= _HALF < _share_touched(run):
        run.emit.warn(
            said(
                "The surgeon has touched {number} of {all} paragraphs; a fresh draft may "
                "serve this chapter better.",
                number=len(paragraphs_changed(run.checkpoint.worked)),
                all=len(run.current.paragraphs),
            )
        )
