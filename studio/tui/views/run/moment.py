"""The state of a run at one moment. Imported before the first frame, so events are only type
hints."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.i18n import _

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


class ChapterSpending(NamedTuple):
    """The tokens and the cost of a chapter, over all its runs."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float = 0.0
    unpriced: int = 0
    """The number of calls whose price is unknown."""
    about: bool = False
    """Whether a part of the cost is an estimate: of a call that was stopped or killed."""

    def plus(self, event: UsageEvent) -> ChapterSpending:
        """Returns the spending with one more call added."""
        return ChapterSpending(
            calls=self.calls + 1,
            input=self.input + (event.tokens.get("input") or 0) + (event.cached or 0),
            output=self.output + (event.tokens.get("output") or 0),
            cached=self.cached + (event.cached or 0),
            cost=self.cost + (event.cost or 0.0) if event.spent is None else event.spent,
            unpriced=self.unpriced + (event.cost is None),
            about=self.about or event.about,
        )


class LookUpWords(NamedTuple):
    """What a model looks up before it writes, in a writer's words."""

    doing: str
    """A phrase such as `looks a person up`."""
    words: str = ""
    """The arguments of the lookup, on one line."""


class Wait(NamedTuple):
    """A call to a model of which nothing was shown yet."""

    what: str
    about: int | None = None
    """About how many seconds it takes; None if unknown."""


_EMPTY: Mapping[Any, Any] = MappingProxyType({})


class RunState(NamedTuple):
    """The state of one run as the writer sees it."""

    running: bool = False
    stopping: bool = False
    chapter: int | None = None
    asks_nobody: bool = False
    """Whether it was begun so that it asks nothing."""
    waits: Wait | None = None
    """What is waited for: a call of which nothing was shown yet."""
    waiting: int = 0
    """The seconds since that call began; 0 while that is too short to mention."""
    look_up: LookUpWords | None = None
    """The last lookup, until text of an answer follows it."""
    stages: Mapping[str, StageStatus] = _EMPTY
    stage: StageName | None = None
    """The stage in progress."""
    note: str = ""
    """The note of the last finished stage."""
    scene: int | None = None
    joins: bool = False
    """Whether the scenes join without a mark, as those of a serial do."""
    scenes: Mapping[int, str] = _EMPTY
    """The status of each scene, by number."""
    texts: Mapping[int, str] = _EMPTY
    """The text of the drafter, by scene."""
    stood: Mapping[int, str] = _EMPTY
    """The words of a scene that it goes on from, by scene."""
    stands_to: Mapping[int, int] = _EMPTY
    """How many characters of its file those are, by scene."""
    briefs: Mapping[int, str] = _EMPTY
    """The text of the prewriter, by scene."""
    rewrites: Mapping[str, str] = _EMPTY
    """The text of the surgeon or the refiner, by directive id or `scene N`."""
    rewriting: str | None = None
    finished: str = ""
    """How the last generation ended."""
    decision: DecisionRequired | None = None
    spending: ChapterSpending = ChapterSpending()
    warnings: tuple[str, ...] = ()
    error: ErrorEvent | None = None
    committed: CommittedEvent | None = None
    overall: float | None = None
    directives_changed: int = 0
    """The number of directive events, by which a change is noticed."""
    journal: tuple[str, ...] = ()
    """What happened in the run, one line per event."""
    outcome: Outcome | None = None

    @property
    def prose(self) -> str:
        """The scenes so far as one text, as they will stand in the chapter; a scene without text is
        represented by its brief."""
        between = "\n\n" if self.joins else "\n\n* * *\n\n"
        return between.join(self.texts[n].strip() or self._brief(n) for n in sorted(self.texts))

    def _brief(self, scene: int) -> str:
        brief = self.briefs.get(scene, "").strip()
        return (
            _("[The brief for scene {scene}]\n\n{brief}", scene=scene, brief=brief) if brief else ""
        )


def begin_run(chapter: int | None, before: RunState | None = None) -> RunState:
    """Returns the state of a run that has just started; the spending of a previous run on the same
    chapter is carried over."""
    same = before is not None and before.chapter == chapter
    spending = before.spending if before is not None and same else ChapterSpending()
    return RunState(running=True, chapter=chapter, spending=spending)


def end_run(state: RunState, outcome: Outcome) -> RunState:
    """Returns the state of the run with its outcome; its lines are in the log of the sitting."""
    return state._replace(
        running=False,
        stopping=False,
        outcome=outcome,
        journal=(),
        rewriting=None,
        look_up=None,
        waits=None,
        waiting=0,
    )
