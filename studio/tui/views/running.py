"""What a run looks like at a moment. Loaded before the first frame, so it knows events by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studio.pipeline.events import (
        CommittedEvent,
        DecisionRequired,
        ErrorEvent,
        StageName,
        StageStatus,
        UsageEvent,
    )
    from studio.pipeline.outcome import Outcome

STAGES: tuple[StageName, ...] = (
    "lock",
    "draft",
    "summarize",
    "refine",
    "judge",
    "gate",
    "review",
    "commit",
)
"""In the order of a chapter (DESIGN section 4)."""


@dataclass(frozen=True, slots=True)
class Spending:
    """Tokens and money of a run."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float = 0.0
    unpriced: int = 0
    """Calls whose price is not known."""

    def plus(self, event: UsageEvent) -> Spending:
        """With one more call."""
        return Spending(
            calls=self.calls + 1,
            input=self.input + (event.tokens.get("input") or 0) + (event.cached or 0),
            output=self.output + (event.tokens.get("output") or 0),
            cached=self.cached + (event.cached or 0),
            cost=self.cost + (event.cost or 0.0),
            unpriced=self.unpriced + (event.cost is None),
        )


def _empty() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RunState:
    """One run as the writer sees it."""

    running: bool = False
    stopping: bool = False
    chapter: int | None = None
    stages: Mapping[str, StageStatus] = field(default_factory=lambda: MappingProxyType({}))
    stage: StageName | None = None
    """The one at work."""
    note: str = ""
    """What the last finished stage said."""
    scene: int | None = None
    scenes: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """Status by number."""
    texts: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    """What the drafter wrote, by scene."""
    brief: str = ""
    """What the prewriter wrote."""
    rewrites: Mapping[str, str] = field(default_factory=_empty)
    """What the surgeon or the refiner writes, by directive id or `scene N`."""
    rewriting: str | None = None
    finished: str = ""
    """How the last generation ended."""
    decision: DecisionRequired | None = None
    spending: Spending = Spending()
    warnings: tuple[str, ...] = ()
    error: ErrorEvent | None = None
    committed: CommittedEvent | None = None
    overall: float | None = None
    directives_changed: int = 0
    """Counts directive events, so that a change is seen."""
    journal: tuple[str, ...] = ()
    """What happened, a line each."""
    outcome: Outcome | None = None

    @property
    def prose(self) -> str:
        """The scenes so far as one text."""
        return "\n\n* * *\n\n".join(self.texts[n].strip() for n in sorted(self.texts))


def begun(chapter: int | None) -> RunState:
    """A run that has just been started."""
    return RunState(running=True, chapter=chapter)


def ended(state: RunState, outcome: Outcome) -> RunState:
    """The same run with its outcome."""
    return replace(state, running=False, stopping=False, outcome=outcome, rewriting=None)
