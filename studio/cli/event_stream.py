"""`--events`: every event of a run as one line of NDJSON, for programs."""

from __future__ import annotations

from studio.cli.output import put_json
from studio.errors import Problem
from studio.pipeline.events import ErrorEvent, Event
from studio.project.clock import now


class EventLines:
    """Prints each event the moment it happens."""

    def __init__(self) -> None:
        self._last = 0
        self._told: set[str] = set()

    def __call__(self, event: Event) -> None:
        """One line, flushed."""
        self._last = event.seq
        if isinstance(event, ErrorEvent):
            self._told.add(event.message)
        put_json(event.line())

    def fail(self, problem: Problem) -> None:
        """The problem a run ended with, unless the engine has said it."""
        if problem.message not in self._told:
            self(refusal(problem, self._last + 1))


def refusal(problem: Problem, seq: int = 1) -> ErrorEvent:
    """What a program reads of a problem: of a run that never started, by default."""
    return ErrorEvent(
        seq=seq,
        ts=now(),
        kind=problem.kind,
        message=problem.message,
        retryable=problem.retryable,
        hint=problem.hint,
    )
