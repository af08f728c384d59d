"""Operate: the surgeon carries out what the writer approved, one directive at a time.

Part of the review on the stage bar. Each fix is on the sheet before it is in
the text, so that a fix that was cut off is finished and never done twice.
"""

from __future__ import annotations

from contextlib import suppress

from studio.errors import StudioError
from studio.pipeline.assess import announce
from studio.pipeline.deciding import without_fix
from studio.pipeline.events import StageName
from studio.pipeline.measuring import relocate
from studio.pipeline.run import ChapterRun
from studio.pipeline.steps import Back, Go, Step, Work
from studio.pipeline.surgery import Refused, operate, worth_keeping
from studio.story.chapter import Chapter, sha256_of
from studio.story.checkpoint import PipelineStage, StageRecord
from studio.story.directive import (
    Directive,
    DirectiveStatus,
    SurgeryResult,
)

_HALF = 0.5
"""Share of a chapter's paragraphs beyond which surgery is rewriting (seed A22)."""


class Operate:
    """Prose surgeon."""

    name: StageName = "review"
    quiet = True

    def idle(self, run: ChapterRun) -> str | None:
        """Nothing approved, nothing half done."""
        sheet = run.staged.sheet()
        if sheet is None or run.lineage.reader("gate") is None:
            return "nothing to operate"
        if sheet.approved or _round_is_open(run):
            return None
        if _half_done(run) is not None or _half_undone(run) is not None:
            return None
        return "nothing to operate"

    async def work(self, work: Work) -> Step:
        """Finishes a half-done fix, then works through the approved directives by priority."""
        run = work.run
        half_done = _half_done(run)
        if half_done is not None:
            _finish(run, half_done)
        undone = _half_undone(run)
        if undone is not None:
            run.put_text(*undone)
        if not run.sheet().approved and not _round_is_open(run):
            return Go()
        run.record(_round(run), PipelineStage.GATED)
        done = 0
        while waiting := run.sheet().approved:
            await self._one(work, waiting[0])
            done += 1
        run.save(surgery_round=run.checkpoint.surgery_round + 1)
        _warn_if_rewritten(run)
        return Back(f"{done} directives")

    async def _one(self, work: Work, approved: Directive) -> None:
        run = work.run
        directive = relocate(approved, run.current)
        at = directive.location
        passage = run.current.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
        if directive.status is not DirectiveStatus.STALE and not passage:
            directive = _failed(directive, "its paragraphs are not in the text")
        if directive.status not in (DirectiveStatus.ACCEPTED, DirectiveStatus.EDITED):
            _put(run, directive)
            return
        try:
            after, result = await operate(work, directive, passage)
        except Refused as refused:
            _put(run, _failed(directive, *refused.reasons))
            run.emit.warn(f"The surgeon could not do {directive.id}: {refused}.")
            return
        self._apply(run, directive, after, result)

    def _apply(
        self, run: ChapterRun, directive: Directive, after: Chapter, result: SurgeryResult
    ) -> None:
        if run.options.review == "accept":
            keep = worth_keeping(directive, result)
            status = DirectiveStatus.KEPT if keep else DirectiveStatus.UNDONE
        else:
            status = DirectiveStatus.APPLIED
        done = directive.updated(status=status, result=result)
        _put(run, done)
        if status is not DirectiveStatus.UNDONE:
            _write(run, done, after.text)


def _round(run: ChapterRun) -> StageRecord:
    """Says that this round was begun, so that a kill before it is counted opens no other one."""
    return StageRecord(stage="surgery", lap=run.lap, notes=(str(run.checkpoint.surgery_round),))


def _round_is_open(run: ChapterRun) -> bool:
    return run.find_record("surgery", run.lap) == _round(run)


def _failed(directive: Directive, *reasons: str) -> Directive:
    return directive.updated(
        status=DirectiveStatus.FAILED, failures=(*directive.failures, *reasons)
    )


def _put(run: ChapterRun, directive: Directive) -> None:
    run.put_sheet(run.sheet().with_directive(directive))
    announce(run, directive)


def _write(run: ChapterRun, directive: Directive, text: str) -> None:
    """The chapter with a fix in it. A fix that changed facts (the writer's own words may) is
    not guarded, so what was derived from the text is made again."""
    assert directive.result is not None
    record = StageRecord(
        stage="operate",
        input_sha256=run.current.sha256,
        output_sha256=sha256_of(text),
        guarded=directive.edited_text is None or not directive.result.facts,
        lap=run.lap,
    )
    run.put_text(text, record)


def _half_done(run: ChapterRun) -> Directive | None:
    """A fix that is on the sheet but was not yet in the text when the program ended."""
    text = run.text
    if text is None:
        return None
    return next(
        (
            d
            for d in run.sheet().directives
            if d.status in (DirectiveStatus.APPLIED, DirectiveStatus.KEPT)
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
        approved = DirectiveStatus.EDITED if directive.edited_text else DirectiveStatus.ACCEPTED
        _put(run, directive.updated(status=approved, result=None))
        return
    _write(run, directive, after)


def _half_undone(run: ChapterRun) -> tuple[str, StageRecord] | None:
    """The text, and its record, of an undo that was recorded and not yet in the text when the
    program ended."""
    record, text = run.find_record("operate"), run.text
    if record is None or text is None or record.input_sha256 != text.sha256:
        return None
    for directive in run.sheet().directives:
        if directive.status is not DirectiveStatus.UNDONE or directive.result is None:
            continue
        with suppress(StudioError):
            before = without_fix(text, directive)
            if before.sha256 == record.output_sha256:
                return before.text, record
    return None


def _warn_if_rewritten(run: ChapterRun) -> None:
    touched = sum(
        d.result.paragraphs_touched
        for d in run.sheet().directives
        if d.result and d.status in (DirectiveStatus.APPLIED, DirectiveStatus.KEPT)
    )
    total = len(run.current.paragraphs)
    if total and touched / total > _HALF:
        run.emit.warn(
            f"The surgeon has touched {touched} of {total} paragraphs; a fresh draft may serve"
            " this chapter better."
        )
