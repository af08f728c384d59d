"""`--events`: prints every event of a run as one line of NDJSON, for programs."""

from __future__ import annotations

from studio.cli.output import put_json
from studio.errors import Problem
from studio.pipeline.events import ErrorEvent, Event
from studio.project.clock import now


class EventLines:
    """Prints each event as soon as it happens."""

    def __init__(self) -> None:
        self._last = 0
        self._messages: set[str] = set()

    def __call__(self, event: Event) -> None:
        """Prints an event as one line and flushes it."""
        self._last = event.seq
        if isinstance(event, ErrorEvent):
            self._messages.add(event.message)
        put_json(event.line())

    def fail(self, problem: Problem) -> None:
        """Reports the problem that ended a run, unless an engine event already did."""
        if problem.message not in self._messages:
            self(refusal(problem, self._last + 1))


def refusal(problem: Problem, seq: int = 1) -> ErrorEvent:
    """Returns the event for a problem; by default, that of a run that never started."""
    return ErrorEvent(
        seq=seq,
        ts=now(),
        kind=problem.kind,
        message=problem.message,
        retryable=problem.retryable,
        hint=problem.hint,
    )
