"""The interface of a stage, and the answers it can give."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, Protocol, TypeVar

from studio.errors import StudioError
from studio.llm.errors import BudgetError, ModelError
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import StageName
from studio.pipeline.prompting.agent_call import AgentCalls
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.turns import SpeakingTurn, begin, end
from studio.story.checkpoint import Decision


@dataclass(frozen=True, slots=True)
class Go:
    """The stage is done; the line goes on to the next one."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class Back:
    """The line starts again from its first stage that is not done."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class AskWriter:
    """A person must decide."""

    decision: Decision


Step = Go | Back | AskWriter


@dataclass(frozen=True)
class AskedAhead:
    """What stages have asked before their turn."""

    turns: dict[StageName, SpeakingTurn] = field(default_factory=dict)
    failures: dict[StageName, ModelError] = field(default_factory=dict)

    def come(self, name: StageName) -> None:
        """Lets a stage whose turn it is say what was said while it was asked ahead."""
        turn = self.turns.pop(name, None)
        if turn is not None:
            turn.come()

    def pass_by(self, name: StageName) -> None:
        """Does the same for a stage that has nothing to do any more, and drops its failure."""
        self.come(name)
        self.failures.pop(name, None)

    def raise_failure(self, name: StageName) -> None:
        """Raises why a stage's question had no answer when it was asked ahead: that was the first
        try."""
        failure = self.failures.pop(name, None)
        if failure is not None:
            raise failure


V_co = TypeVar("V_co", bound=ChapterView, covariant=True)


@dataclass(frozen=True)
class WorkOn(Generic[V_co]):
    """A chapter, seen or in work, with the means to call agents about it."""

    run: V_co
    prompt_blocks: PromptBlocks
    agents: AgentCalls = field(init=False)
    ahead: AskedAhead = field(default_factory=AskedAhead, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", AgentCalls(self.run, self.prompt_blocks))


Work = WorkOn[ChapterRun]
"""A chapter in work and its agents: the argument of every stage."""
Sight = WorkOn[ChapterView]
"""What is enough to ask an agent a question: all that a preview and a rebuild have."""


class Stage(Protocol):
    """One step of the line. Stages do not know each other."""

    name: StageName
    quiet: bool
    """Whether to stay silent when the stage has nothing to do."""

    def idle(self, run: ChapterRun) -> str | None:
        """Returns why there is nothing to do, or None if the stage is due."""
        ...

    async def work(self, work: Work) -> Step:
        """Does the stage's work."""
        ...


_HEAD_START = 0.05
"""The seconds by which a stage's own question goes before the one that is asked beside it: requests
leave in the order of the line."""


class AskingStage(Stage, Protocol):
    """A stage whose question depends on the text alone."""

    async def ask(self, work: Work) -> None:
        """Asks the stage's question, if it has one, so that its answer is there when it works: the
        gateway keeps it, and asks nothing twice."""
        ...


class SideBySide:
    """A stage during whose work the next one's question is asked; the order of what they leave and
    say stays as it is (WRITING 6)."""

    def __init__(self, stage: Stage, following: AskingStage) -> None:
        self.name = stage.name
        self.quiet = stage.quiet
        self._stage = stage
        self._following = following

    def idle(self, run: ChapterRun) -> str | None:
        """Returns why the stage has nothing to do, or None."""
        return self._stage.idle(run)

    async def work(self, work: Work) -> Step:
        """Does the stage's work, and ends when the next one's question is answered as well. What
        fails of the one takes nothing from the other."""
        name, turn = self._following.name, SpeakingTurn()
        task = begin(turn, partial(self._ask, work))
        try:
            step = await self._with_room(work, task)
            await task
        except BaseException as error:
            if isinstance(error, Exception):
                await asyncio.wait({task})
            else:
                await end(task)
            turn.come()
            raise
        work.ahead.turns[name] = turn
        return step

    async def _with_room(self, work: Work, task: asyncio.Task[None]) -> Step:
        """Does the stage's work, once more where only the other's reserve left no room for it."""
        try:
            return await self._stage.work(work)
        except BudgetError:
            if task.done():
                raise
            await asyncio.wait({task})
            return await self._stage.work(work)

    async def _ask(self, work: Work) -> None:
        if self._following.name in work.ahead.failures:
            return
        await asyncio.sleep(_HEAD_START)
        try:
            await self._following.ask(work)
        except ModelError as error:
            work.ahead.failures[self._following.name] = error
        except StudioError:
            return  # the stage meets it again in its turn, a cap perhaps with more room
