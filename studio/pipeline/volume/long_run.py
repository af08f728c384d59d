"""Several chapters in a row: when the next one begins, and what ended the run (G13)."""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.book.plans import last_planned, volume_of
from studio.errors import usage
from studio.messages import said
from studio.pipeline.outcome import Committed, Failed, Outcome, Paused
from studio.project.store import ProjectStore
from studio.story.form.document import Value
from studio.story.review.left_open import waits_for_her
from studio.story.status import ReviewMode

ASK_MODE = "ask"
"""The reason for ending a run of several chapters that a person reads one by one."""
STOPPED = "stopped"


class LongRunReport(Value):
    """The result of a run of several chapters, the last line of `write --json`."""

    schema_version: int = 1
    committed: tuple[int, ...] = ()
    stopped_by: str | None = None
    """Null if every requested chapter is in the book; else the kind of the question or of the
    problem, `ask` (in ask mode one chapter is written at a time) or `stopped`."""


@dataclass
class LongRun:
    """Counts chapters until they are all committed or something interrupts.

    The end is a number of chapters, or the last chapter that the volume plans when the run begins:
    planning further during the run does not ask for more.
    """

    review: ReviewMode
    count: int = 1
    last: int | None = None
    """The last chapter requested; None if `count` says how many."""
    newest: int = 0
    """The last chapter of the book."""
    written: list[Committed] = field(default_factory=list)
    """The chapters that are in the book."""
    stopped_by: str | None = None

    @classmethod
    def to_the_volumes_end(cls, store: ProjectStore, review: ReviewMode) -> LongRun:
        """Returns a run through the last chapter of the volume to which the next chapter belongs.

        StudioError: 2 if that volume plans nothing, 5 if its outline or the checkpoint cannot be
        read.
        """
        checkpoint = store.checkpoint()
        newest, inflight = checkpoint.last_completed_chapter, checkpoint.inflight_chapter
        volume = volume_of(store, inflight or newest + 1)
        last = max(last_planned(store, volume), inflight or 0)
        if not last:
            raise usage(
                said(
                    "Volume {volume} has no planned chapter, so it has no end to write to.",
                    volume=volume,
                ),
                said(
                    "A section `## Chapter 1: Title` in {outline} plans one; --count says how "
                    "many to write.",
                    outline=store.layout.outline(volume),
                ),
            )
        return cls(review, last=last, newest=newest)

    @property
    def committed(self) -> tuple[int, ...]:
        """The numbers of the chapters that are in the book."""
        return tuple(one.chapter for one in self.written)

    @property
    def left_open(self) -> tuple[int, ...]:
        """Those of them that left something open."""
        return tuple(one.chapter for one in self.written if waits_for_her(one.left_open))

    @property
    def chapters(self) -> int:
        """How many chapters are requested."""
        return self.count if self.last is None else self.last - self.newest

    @property
    def is_complete(self) -> bool:
        """Whether everything that was requested is in the book."""
        if self.last is None:
            return len(self.committed) >= self.count
        return self.newest >= self.last

    def goes_on(self, outcome: Outcome, code: int) -> bool:
        """Records an outcome and returns whether the next chapter begins."""
        chapter = outcome.committed if isinstance(outcome, Paused) else outcome
        if isinstance(chapter, Committed):
            self.written.append(chapter)
            self.newest = max(self.newest, chapter.chapter)
        if code or not isinstance(outcome, Committed):
            self.stopped_by = _reason(outcome)
            return False
        if self.is_complete:
            return False
        if self.review == "ask":
            self.stopped_by = ASK_MODE
            return False
        return True

    def report(self) -> LongRunReport:
        """Returns the result of the run."""
        return LongRunReport(committed=self.committed, stopped_by=self.stopped_by)


def _reason(outcome: Outcome) -> str | None:
    """Returns the kind of what ended a run; None if there was nothing to do."""
    if isinstance(outcome, Paused):
        return outcome.decision.kind
    if isinstance(outcome, Failed):
        return outcome.problem.kind
    if isinstance(outcome, Committed):
        return STOPPED
    return None if outcome.exit_code == 0 else STOPPED
