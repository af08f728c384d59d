"""The interface of a stage, and the answers it can give."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import StageName
from studio.pipeline.prompting.agent_call import AgentCalls
from studio.pipeline.prompting.material import Material
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
class Ask:
    """A person must decide."""

    decision: Decision


Step = Go | Back | Ask


V_co = TypeVar("V_co", bound=ChapterView, covariant=True)


@dataclass(frozen=True)
class WorkOn(Generic[V_co]):
    """A chapter, seen or in work, with the means to call agents about it."""

    run: V_co
    material: Material
    agents: AgentCalls = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "agents", AgentCalls(self.run, self.material))


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
