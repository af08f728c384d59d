"""The outcomes of a run. A pause is an outcome, not a question held in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import Field

from studio.errors import Exit, Problem, StudioError
from studio.messages import Said, join, said
from studio.pipeline.events import Emitter, ErrorEvent
from studio.project.store import ProjectStore
from studio.story.checkpoint import Decision
from studio.story.form.document import Value
from studio.story.ledger import UsageLedger
from studio.story.lengths import Unit, length_of
from studio.story.review.left_open import ChangeMade, LeftOpen, waits_for_her

Ended = TypeVar("Ended")


@dataclass(frozen=True, slots=True)
class Committed:
    """The chapter is in the book."""

    chapter: int
    title: str
    badges: tuple[str, ...] = ()
    left_open: tuple[LeftOpen, ...] = ()
    """What it went into the book with that nobody was asked about."""
    changes: tuple[ChangeMade, ...] = ()
    """What a run that asked nobody took into its text."""

    exit_code = Exit.DONE

    def tally(self, ledger: UsageLedger) -> Said:
        """Returns in one sentence what became of a chapter that nobody was asked about."""
        return said(
            "Chapter {chapter}: {taken} taken into the text, {left} left open, cost {cost}.",
            chapter=self.chapter,
            taken=sum(one.stands for one in self.changes),
            left=waits_for_her(self.left_open),
            cost=ledger.spent(self.chapter).amount,
        )


def tally_in_all(chapters: Sequence[Committed], ledger: UsageLedger) -> Said | None:
    """Returns what all chapters of a run cost together; None for one, whose own tally says it."""
    if len(chapters) < 2:
        return None
    cost = ledger.spent_on({one.chapter for one in chapters}).amount
    return said("{count} chapters, cost {cost} in all.", count=len(chapters), cost=cost)


def committed_chapter(
    store: ProjectStore, chapter: int, title: str, badges: tuple[str, ...]
) -> Committed:
    """Returns the outcome for a chapter that has just come into the book."""
    evaluation = store.evaluation(chapter)
    if evaluation is None:
        return Committed(chapter, title, badges)
    return Committed(chapter, title, badges, evaluation.left_open, evaluation.changes)


@dataclass(frozen=True, slots=True)
class Paused:
    """A person must decide; nothing is lost and the lock is free."""

    decision: Decision
    committed: Committed | None = None
    """The chapter that was committed first, where the question is about the book."""

    exit_code = Exit.DECIDE


@dataclass(frozen=True, slots=True)
class Stopped:
    """The writer stopped the run; the next run resumes where it was."""

    chapter: int | None

    exit_code = Exit.INTERRUPTED


@dataclass(frozen=True, slots=True)
class Failed:
    """The run failed; finished work is kept."""

    problem: Problem

    @property
    def exit_code(self) -> Exit:
        """The exit code of the problem."""
        return self.problem.exit_code


@dataclass(frozen=True, slots=True)
class NothingToDo:
    """There was no chapter in flight."""

    message: str

    exit_code = Exit.DONE


Outcome = Committed | Paused | Stopped | Failed | NothingToDo


Status = Literal[
    "completed",
    "conflict_detected",
    "requires_user_decision",
    "stopped",
    "failed",
    "nothing_to_do",
]


class Result(Value):
    """The outcome of a run in machine-readable form."""

    schema_version: int = 1
    status: Status
    exit_code: int
    chapter: int | None = None
    title: str = ""
    word_count: int | None = None
    """Characters without white space for ko and zh, words for en."""
    quality_score: float | None = None
    summary: str = ""
    badges: tuple[str, ...] = ()
    left_open: tuple[LeftOpen, ...] = ()
    changes: tuple[ChangeMade, ...] = ()
    spent_usd: float | None = None
    """US dollars spent on the chapter, over all its runs."""
    detail: str = ""
    severity: Literal["high"] | None = None
    id: str = ""
    kind: str = ""
    recommendation: str = ""
    options: tuple[str, ...] = ()
    rationale: str = ""
    data: dict[str, Any] = Field(default_factory=dict)


def result_of(outcome: Outcome, store: ProjectStore, unit: Unit) -> Result:
    """Returns the outcome together with what the project knows about it."""
    code = int(outcome.exit_code)
    if isinstance(outcome, Committed):
        return _complete(outcome, store, unit)
    if isinstance(outcome, Paused):
        return _pause(outcome, store)
    if isinstance(outcome, Failed):
        problem = outcome.problem
        return Result(status="failed", exit_code=code, kind=problem.kind, detail=str(problem))
    if isinstance(outcome, NothingToDo):
        return Result(status="nothing_to_do", exit_code=code, detail=outcome.message)
    return Result(status="stopped", exit_code=code, chapter=outcome.chapter)


def _complete(outcome: Committed, store: ProjectStore, unit: Unit) -> Result:
    chapter, evaluation = store.chapter(outcome.chapter), store.evaluation(outcome.chapter)
    paragraphs = chapter.paragraphs if chapter else ()
    return Result(
        status="completed",
        exit_code=int(outcome.exit_code),
        chapter=outcome.chapter,
        title=outcome.title,
        word_count=sum(length_of(p.prose, unit) for p in paragraphs),
        quality_score=evaluation.overall if evaluation else None,
        summary=(store.summary(outcome.chapter) or "").strip(),
        badges=outcome.badges,
        left_open=outcome.left_open,
        changes=outcome.changes,
        spent_usd=UsageLedger(store.journal.usage_entries()).spent(outcome.chapter).usd,
    )


def _pause(outcome: Paused, store: ProjectStore) -> Result:
    """Returns the result of a pause; a contract broken with high confidence is named a conflict."""
    decision = outcome.decision
    contradicts = decision.kind == "continuity"
    broken = decision.data.get("violations", [])
    return Result(
        status="conflict_detected" if broken or contradicts else "requires_user_decision",
        exit_code=int(outcome.exit_code),
        chapter=store.checkpoint().inflight_chapter,
        detail=decision.rationale if contradicts else join(broken, "; "),
        severity="high" if broken or contradicts else None,
        **decision.model_dump(),
    )


def failure(problem: Problem, emit: Emitter) -> Failed:
    """Emits a problem as an `error` event and returns it as an outcome."""
    emit(
        ErrorEvent(
            kind=problem.kind,
            message=problem.message,
            retryable=problem.retryable,
            hint=problem.hint,
        )
    )
    return Failed(problem)


async def outcome_of(work: Awaitable[Ended], emit: Emitter) -> Ended | Failed | Stopped:
    """Awaits a run and returns its outcome. Never raises for an error that the writer can cause."""
    try:
        return await work
    except asyncio.CancelledError:
        return Stopped(emit.chapter)
    except StudioError as error:
        return failure(error.problem, emit)
