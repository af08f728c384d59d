"""What a run looks like at a moment. Loaded before the first frame, so it knows events by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from studio.i18n import _
from studio.tuples import NamedTuple

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


class Spending(NamedTuple):
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


class LookUp(NamedTuple):
    """What a model looks up before it writes, in a writer's words."""

    doing: str
    """`looks a person up`."""
    words: str = ""
    """What it asked for, on one line."""


_EMPTY: Mapping[Any, Any] = MappingProxyType({})


class RunState(NamedTuple):
    """One run as the writer sees it."""

    running: bool = False
    stopping: bool = False
    chapter: int | None = None
    waiting: int = 0
    """Seconds in which nothing was heard of the drafter; 0 where that is not worth a word."""
    look_up: LookUp | None = None
    """The last one, until words of an answer follow it."""
    stages: Mapping[str, StageStatus] = _EMPTY
    stage: StageName | None = None
    """The one at work."""
    note: str = ""
    """What the last finished stage said."""
    scene: int | None = None
    scenes: Mapping[int, str] = _EMPTY
    """Status by number."""
    texts: Mapping[int, str] = _EMPTY
    """What the drafter wrote, by scene."""
    briefs: Mapping[int, str] = _EMPTY
    """What the prewriter wrote, by scene."""
    rewrites: Mapping[str, str] = _EMPTY
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
        """The scenes so far as one text; a scene not begun is its brief for the while."""
        return "\n\n* * *\n\n".join(
            self.texts[n].strip() or self._brief(n) for n in sorted(self.texts)
        )

    def _brief(self, scene: int) -> str:
        brief = self.briefs.get(scene, "").strip()
        return (
            _("[The brief for scene {scene}]\n\n{brief}", scene=scene, brief=brief) if brief else ""
        )


def begun(chapter: int | None, before: RunState | None = None) -> RunState:
    """A run that has just been started; what a run before it spent on the same chapter counts."""
    same = before is not None and before.chapter == chapter
    spending = before.spending if before is not None and same else Spending()
    return RunState(running=True, chapter=chapter, spending=spending)


def ended(state: RunState, outcome: Outcome) -> RunState:
    """The same run with its outcome."""
    return state._replace(
        running=False, stopping=False, outcome=outcome, rewriting=None, look_up=None
    )
