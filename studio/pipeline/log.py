"""The log of each run, one line per event in logs/pipeline.log, for later diagnosis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from studio.errors import StudioError
from studio.messages import said
from studio.pipeline.events import (
    CommittedEvent,
    DecisionMade,
    DecisionRequired,
    Emit,
    ErrorEvent,
    Event,
    SceneEvent,
    StageEvent,
    WarningEvent,
)
from studio.project.store import ProjectStore


def _of_scene(event: SceneEvent) -> str:
    """Returns what a finished scene was made with (A7)."""
    if event.estimated_tokens is None:
        return ""
    words = f": about {event.estimated_tokens} tokens"
    words += f", exemplars {', '.join(event.exemplars)}" if event.exemplars else ""
    return words + (f" ({event.generation})" if event.generation else "")


_WORDINGS: dict[type[Event], Callable[[Any], str]] = {
    StageEvent: lambda e: f"{e.name} {e.status}" + (f": {e.note}" if e.note else ""),
    SceneEvent: lambda e: f"scene {e.number} {e.status}{_of_scene(e)}",
    WarningEvent: lambda e: f"warning: {e.message}",
    ErrorEvent: lambda e: f"error ({e.kind}): {e.message}",
    DecisionRequired: lambda e: f"asks {e.kind}: {', '.join(e.options)} ({e.id})",
    DecisionMade: lambda e: f"{e.by} chose {e.option} for {e.id}",
    CommittedEvent: lambda e: f"committed “{e.title}” as {e.commit_id}",
}
"""The log line of each event that is logged. Streams, metrics and money are recorded elsewhere;
the log shows the course of events."""


class RunLog:
    """Passes events on and writes the course of a run down when it is over."""

    def __init__(self, store: ProjectStore, emit: Emit) -> None:
        self._store = store
        self._emit = emit
        self._lines: list[str] = []
        self._last = Event(type="")

    def __call__(self, event: Event) -> None:
        """Logs and passes on one event, as any listener does."""
        self._emit(event)
        self._last = event
        wording = _WORDINGS.get(type(event))
        if wording is not None:
            words = " ".join(wording(event).split())
            self._lines.append(f"{event.ts} chapter {event.chapter or '-'} {words}\n")

    @contextmanager
    def record(self) -> Iterator[None]:
        """Records everything that happens inside, and writes it to the log at the end; used while
        the lock is held.

        A log that cannot be written causes a warning and does not affect the work done.
        """
        try:
            yield
        finally:
            try:
                if self._lines:
                    self._store.keep_log("".join(self._lines))
            except StudioError as error:
                self._emit(self._not_kept(error.problem.message))
            self._lines.clear()

    def _not_kept(self, why: str) -> WarningEvent:
        last = self._last
        message = said("What happened in this run is not in the log. {why}", why=why)
        return WarningEvent(message=message, seq=last.seq + 1, ts=last.ts, chapter=last.chapter)
