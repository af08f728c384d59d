"""The engine: runs the line of stages until the chapter is committed or a person must decide.

A stage runs only if it is not done for the current text. Resuming needs nothing more: every run
walks the same line from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from studio.llm.errors import ModelError
from studio.messages import said
from studio.pipeline.chapter.own_text import is_mostly_hers
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import DecisionRequired, Emitter, StageEvent, StageName
from studio.pipeline.outcome import Outcome, Paused, committed_chapter
from studio.pipeline.review.changed_since_judged import is_judgement_overtaken
from studio.pipeline.stage import AskWriter, Back, Go, Stage, Step, Work
from studio.project.author.published import to_put_there
from studio.story.checkpoint import Decision

PriceAnswers = Callable[[Decision], Decision]
"""Returns a question with what each of its answers costs."""
MOST_LAPS = 40
"""Restarts of the line allowed in one run. Each needs a decision, a revision or a directive;
more than this means that two stages disagree, and stopping is better than spending."""


async def walk(line: Sequence[Stage], work: Work, price_answers: PriceAnswers) -> Outcome:
    """Walks the line to its end or to a question. Raises whatever a stage could not recover
    from."""
    run = work.run
    bar = _Bar(run.emit)
    for _ in range(MOST_LAPS):
        step = await _once(line, work, bar)
        if isinstance(step, AskWriter):
            return pause(run, step.decision, price_answers)
        if not isinstance(step, Back):
            for sentence in to_put_there(run.store, run.chapter):
                run.emit.warn(sentence)
            return committed_chapter(run.store, run.chapter, run.contract.title, run.badges)
    raise RuntimeError(f"the line was walked {MOST_LAPS} times without an end")


class _Bar:
    """Reports progress to the stage bar. Two stages may share a name (the surgeon's work is part
    of the review): work that alternates between them is one stage, started and finished once."""

    def __init__(self, emit: Emitter) -> None:
        self._emit = emit
        self._said: set[str] = set()
        self._open: StageName | None = None
        self._note = ""

    def skip(self, stage: Stage, reason: str) -> None:
        if stage.name not in self._said and not stage.quiet:
            self._said.add(stage.name)
            self._emit(StageEvent(name=stage.name, status="skipped", note=reason))

    def start(self, stage: Stage) -> None:
        self._said.add(stage.name)
        if self._open == stage.name:
            return
        self._close()
        self._open = stage.name
        self._emit(StageEvent(name=stage.name, status="started"))

    def finish(self, step: Go | Back) -> None:
        """Ends the current stage. A stage that sends the line back may continue under its name
        in the next walk."""
        self._note = step.note
        if isinstance(step, Go):
            self._close()

    def _close(self) -> None:
        if self._open is not None:
            self._emit(StageEvent(name=self._open, status="finished", note=self._note))
        self._open, self._note = None, ""


async def _once(line: Sequence[Stage], work: Work, bar: _Bar) -> Step | None:
    """Walks the line once. Returns None at the end of the line."""
    run = work.run
    for stage in line:
        notice_own_text(run)
        reason = stage.idle(run)
        if reason is not None:
            bar.skip(stage, reason)
            work.ahead.pass_by(stage.name)
            continue
        bar.start(stage)
        work.ahead.come(stage.name)
        step = await _patiently(stage, work)
        if isinstance(step, AskWriter):
            return step
        bar.finish(step)
        if isinstance(step, Back):
            return step
    return None


async def _patiently(stage: Stage, work: Work) -> Step:
    """Runs a stage, and once more after a failure where a retry can help (seed D9)."""
    try:
        work.ahead.raise_failure(stage.name)
        return await stage.work(work)
    except ModelError as error:
        if not error.retryable:
            work.run.emit(StageEvent(name=stage.name, status="failed", note=str(error)))
            raise
        work.run.emit.warn(said("{why} The step is tried once more.", why=error.problem.message))
    try:
        return await stage.work(work)
    except ModelError as error:
        work.run.emit(StageEvent(name=stage.name, status="failed", note=str(error)))
        raise


_READ_ANEW = said(
    "The text in progress was changed by hand. It counts as your own now: it is "
    "summarized and judged again, and no model rewrites it unasked."
)
_STANDS = said(
    "The text in progress was changed by hand. It counts as your own now: no model rewrites it"
    " unasked, and what was said of it stands until you have it read again."
)


_READ_WITH_IT = said(
    "The text in progress was changed by hand. It is summarized and judged again; your own "
    "paragraphs are kept as a version before anything is drafted again."
)
_STAND_IN_IT = said(
    "The text in progress was changed by hand. What was said of it stands until you have it read "
    "again; your own paragraphs are kept as a version before anything is drafted again."
)


def notice_own_text(run: ChapterRun) -> None:
    """Takes note of a staged text that no stage left: it is the author's own where more than half
    of its paragraphs are by hand; else her paragraphs are kept (CONTRACTS 4)."""
    run.look_again()
    if run.text is None or run.checkpoint.own_text or run.lineage.is_by_a_stage():
        return
    before, stands = run.records.text_left, run.is_attended and is_judgement_overtaken(run)
    if before is not None and not is_mostly_hers(run):
        run.emit.warn(
            _STAND_IN_IT if run.is_attended and is_judgement_overtaken(run) else _READ_WITH_IT
        )
        run.take_edit(before)
        return
    run.emit.warn(_STANDS if stands else _READ_ANEW)
    run.own()


def pause(run: ChapterRun, decision: Decision, price_answers: PriceAnswers) -> Paused:
    """Stores the question, and announces it with what its answers cost now; the run is started
    again once it is answered."""
    run.save(pending_decision=decision)
    decision = price_answers(decision)
    run.emit(
        DecisionRequired(
            id=decision.id,
            kind=decision.kind,
            recommendation=decision.recommendation,
            options=decision.options,
            rationale=decision.rationale,
            data=decision.data,
        )
    )
    return Paused(decision)
