"""What each agent is asked when a book begins; the same novel asks the same question again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel

from studio.config.schema import Settings
from studio.llm.errors import ModelError
from studio.llm.gateway import Gateway
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.events import Emitter
from studio.pipeline.prompting.agent_call import Question
from studio.pipeline.prompting.material import Material
from studio.pipeline.stage import Sight
from studio.project.store import ProjectStore
from studio.story.chapter import sha256_of
from studio.story.contract import ChapterContract
from studio.text.language.packs import LanguagePack

A = TypeVar("A", bound=BaseModel)
_LEFT_TO_HER = ("unusable", "refusal", "empty", "cut", "runaway")
"""Faults of an answer, after which the writer does the step herself; any other stops the run."""


@dataclass(frozen=True, slots=True)
class BookQuestions:
    """Asks agents about the book as a whole, before its next chapter."""

    store: ProjectStore
    settings: Settings
    pack: LanguagePack
    gateway: Gateway | None
    emit: Emitter

    @property
    def can_ask(self) -> bool:
        """Whether there is a model that can lay something out."""
        return self.gateway is not None and self.gateway.provider.profile.extracts

    async def ask(
        self,
        agent: str,
        what: str,
        task: str,
        answer: type[A],
        blocks: Mapping[str, str] | None = None,
        chapter: int = 1,
        volume: int = 1,
        more: tuple[str, ...] = (),
        order: tuple[str, ...] | None = None,
        otherwise: str = "The step is yours to do.",
    ) -> A | None:
        """An agent's answer, `more` being blocks beside its own, `order` all blocks in place of
        its own.

        None where no model can give one, with the reason, and what follows, as a warning.
        """
        if not self.can_ask:
            return None
        work, question = self._question(agent, what, task, blocks or {}, chapter, volume, more)
        question = question if order is None else replace(question, order=order)
        try:
            value, _ = await work.agents.structured(question, answer)
        except ModelError as error:
            if error.error_kind not in _LEFT_TO_HER:
                raise
            self.emit.warn(f"{error.problem.message} {otherwise}")
            return None
        return value

    def worst_usd(
        self,
        agent: str,
        what: str,
        task: str,
        answer: type[BaseModel],
        blocks: Mapping[str, str],
        chapter: int,
        volume: int,
        more: tuple[str, ...] = (),
        order: tuple[str, ...] | None = None,
    ) -> float | None:
        """What `ask` would cost at most in US dollars; None where the price is unknown, or nobody
        can be asked. Asks nobody."""
        if self.gateway is None:
            return None
        work, question = self._question(agent, what, task, blocks, chapter, volume, more)
        question = question if order is None else replace(question, order=order)
        return self.gateway.worst_case(work.agents.request(question, answer))

    def _question(
        self,
        agent: str,
        what: str,
        task: str,
        blocks: Mapping[str, str],
        chapter: int,
        volume: int,
        more: tuple[str, ...],
    ) -> tuple[Sight, Question]:
        own = {"contract": "", **blocks, "task": task}
        work = Sight(
            self._view(what, own, chapter, volume),
            Material(self.store, _plan(self.store, chapter, volume), self.pack),
        )
        order = (*more, *work.agents.agent(agent).blocks) if more else None
        return work, Question(agent=agent, stage="draft", what=what, blocks=own, order=order)

    def _view(self, what: str, own: Mapping[str, str], chapter: int, volume: int) -> ChapterView:
        """The next chapter, about which nothing is decided. Its token follows from what is asked
        and of which book, so that a finished answer is found again."""
        parts = (what, self.store.brief(), *(f"{k}: {v}" for k, v in sorted(own.items())))
        return ChapterView(
            store=self.store,
            gateway=self.gateway,
            settings=self.settings,
            pack=self.pack,
            contract=_plan(self.store, chapter, volume),
            checkpoint=self.store.checkpoint()
            .at_rest()
            .updated(run=sha256_of("\n".join(parts))[:6]),
            emit=self.emit,
            text=None,
        )


def _plan(store: ProjectStore, chapter: int, volume: int) -> ChapterContract:
    return ChapterContract(
        chapter=chapter,
        volume=volume,
        title="The book",
        storyline_id=store.storylines().main,
        objectives=("It is laid out.",),
    )
