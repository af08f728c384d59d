"""The calls to agents when a book begins; the same novel asks the same question again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import BaseModel

from studio.llm.errors import ModelError
from studio.llm.gateway import Gateway
from studio.messages import join, said
from studio.pipeline.beginning.earlier_proposal import is_marked
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import Emitter
from studio.pipeline.novel import OnNovel
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.stage import Sight
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from studio.story.contract import ChapterContract
from studio.story.ledger import FREE, Estimate
from studio.text.language.packs import LanguagePack

A = TypeVar("A", bound=BaseModel)
OF_NO_USE = ("unusable", "refusal", "empty", "cut", "runaway")
"""Faults of an answer after which the writer does the step herself; any other stops the run."""


_OTHERWISE = (
    "This is a revision. The author has read the proposal in `before`, and `direction` says what"
    " she wants otherwise in it.{hers} All {else_}that `direction` does not speak of stays as it"
    " was proposed, in the same order{ids}. Return the whole of it. It was asked for in these"
    " words, against which `direction` goes where it says otherwise:\n\n{task}"
)
_HERS = (
    " What is named there as her own words stays word for word, and what she left out does not come"
    " back."
)
_IDS = re.compile(r'"id":|\[[a-z0-9_-]+\]')


def otherwise_task(task: str, before: str, pack: LanguagePack) -> str:
    """Returns the task of a question that is asked again with a wish, of which `task` was the first
    one: it says of the proposal `before` only what stands there."""
    is_hers = is_marked(before, pack)
    return _OTHERWISE.format(
        hers=_HERS if is_hers else "",
        else_="else " if is_hers else "",
        ids=" and under the same ids" if _IDS.search(before) else "",
        task=task,
    )


@dataclass(frozen=True, slots=True)
class BookQuestion:
    """One question to an agent, as if the chapter named here were the next."""

    agent: str
    what: str
    """The name of the question, used in the names of its calls."""
    task: str
    blocks: Mapping[str, str] = field(default_factory=dict)
    chapter: int = 1
    volume: int = 1
    more: tuple[str, ...] = ()
    """Blocks added to the agent's own."""
    kind: str = ""
    """The parts of the agent's page that speak of such a task: `planning volume`."""
    order: tuple[str, ...] | None = None
    """All blocks, replacing the agent's own."""
    looks_back_on: int | None = None
    """The last chapter that it looks back on: its cost is booked there, and not as the cost of a
    chapter that nobody has begun."""


@dataclass(frozen=True, slots=True)
class BookQuestions(OnNovel):
    """Calls agents about the book as a whole, before its next chapter."""

    gateway: Gateway | None
    emit: Emitter

    @property
    def can_ask(self) -> bool:
        """Whether there is a model that can plan."""
        return self.gateway is not None and self.gateway.provider.profile.extracts

    async def ask(
        self,
        asked: BookQuestion,
        answer: type[A],
        otherwise: str = said("The step is yours to do."),
    ) -> A | None:
        """Returns an agent's answer.

        Returns None if no model can give one; a warning then says why, and what follows.
        """
        if not self.can_ask:
            return None
        work, question = self._question(asked)
        try:
            value, _ = await work.agents.structure(question, answer)
        except ModelError as error:
            if error.error_kind not in OF_NO_USE:
                raise
            self.emit.warn(join([error.problem.message, otherwise]))
            return None
        return value

    def estimate(self, asked: BookQuestion, answer: type[BaseModel]) -> Estimate:
        """Returns what such a call costs; unknown if there is no model to call. Makes no call."""
        if self.gateway is None:
            return Estimate(None, None)
        work, question = self._question(asked)
        return self.gateway.estimate(work.agents.request(question, answer))

    def left_to_pay(self, asked: BookQuestion, answer: type[BaseModel]) -> Estimate:
        """Returns what `ask` costs: nothing where just this was answered before. Makes no call."""
        return FREE if self.answered(asked, answer) else self.estimate(asked, answer)

    def answered(self, asked: BookQuestion, answer: type[A]) -> A | None:
        """Returns the answer that `ask` would find without a call; None if it would make one."""
        if self.gateway is None:
            return None
        work, question = self._question(asked)
        return self.gateway.answered(work.agents.request(question, answer), answer)

    def _question(self, asked: BookQuestion) -> tuple[Sight, Question]:
        own = {"contract": "", **asked.blocks, "task": asked.task}
        work = Sight(
            self._view(asked, own),
            PromptBlocks(
                self.store, plan_before(self.store, asked.chapter, asked.volume), self.pack
            ),
        )
        beside = (*asked.more, *work.agents.agent(asked.agent).blocks) if asked.more else None
        order = asked.order or beside
        return work, Question(
            agent=asked.agent,
            stage="draft",
            what=asked.what,
            blocks=own,
            order=order,
            task_kind=asked.kind,
        )

    def _view(self, asked: BookQuestion, own: Mapping[str, str]) -> ChapterView:
        """Returns a view of the chapter that it counts for, about which nothing is decided. Its
        token is derived from question and book, so that a finished answer is found again."""
        parts = (asked.what, self.store.brief(), *(f"{k}: {v}" for k, v in sorted(own.items())))
        return ChapterView(
            novel=self.novel,
            gateway=self.gateway,
            contract=plan_before(self.store, asked.looks_back_on or asked.chapter, asked.volume),
            checkpoint=self.store.checkpoint()
            .at_rest()
            .copy_with(run=sha256_of("\n".join(parts))[:6]),
            emit=self.emit,
            text=None,
        )


def planning_of(store: ProjectStore, what: str) -> str:
    """Returns the parts of the plot architect's page for planning a `volume`, a `chapter` or the
    `trials`; storylines are spoken of where there are several."""
    lines = "lines " if len(store.storylines().storylines) > 1 else ""
    owed = "" if what == "trials" else "owed "
    return f"planning {lines}{owed}returning {what}"


def plan_before(store: ProjectStore, chapter: int, volume: int) -> ChapterContract:
    """Returns the plan of a chapter of which nothing is planned."""
    return ChapterContract(
        chapter=chapter,
        volume=volume,
        title="The book",
        storyline_id=store.storylines().main,
        objectives=(said("It is laid out."),),
    )
