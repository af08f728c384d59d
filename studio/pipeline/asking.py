"""One agent asked once: its prompt compiled, its answer streamed as events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel

from studio.llm.errors import ModelError
from studio.llm.provider import Delta, Part, Request, Role, Sampling
from studio.pipeline.context import compile_prompt
from studio.pipeline.events import (
    Event,
    Finish,
    Reasoning,
    RewriteText,
    StageName,
    Text,
)
from studio.pipeline.material import Material
from studio.pipeline.prose import tidy
from studio.pipeline.run import ChapterRun
from studio.prompts import AgentSpec, load_agent, render
from studio.story.calls import CallRecord
from studio.text.sections import split_sections

W = TypeVar("W", bound=BaseModel)

LANGUAGE_NAMES = {"ko": "Korean", "en": "English", "zh": "Chinese"}
UNITS = {"ko": "characters", "zh": "characters", "en": "words"}
DRAFTER = "scene-drafter"
_SHARE_OF_WINDOW = 2
"""A call's answer may take at most this fraction (1/n) of the model's window."""


@dataclass(frozen=True, slots=True)
class Question:
    """What one call is about."""

    agent: str
    stage: StageName
    what: str = ""
    """Part of the call's name: `s01`, `dir_x-a2`."""
    scene: int | None = None
    blocks: Mapping[str, str] | None = None
    """Per-call blocks, added to the chapter's own."""
    slots: Mapping[str, str] | None = None
    role: Role | None = None
    """Overrides the agent's role (a gate revision drafts on deep)."""
    exemplars: tuple[str, ...] = ()
    directive: str | None = None
    temperature: float | None = None
    seed: int | None = None
    short: bool = False
    """Use the agent's short form (small models)."""
    max_tokens: int | None = None


class Asking:
    """Builds requests for one run and passes their streams on as events."""

    def __init__(self, run: ChapterRun, material: Material) -> None:
        self._run = run
        self._material = material
        self._agents: dict[str, AgentSpec] = {}

    def agent(self, agent_id: str) -> AgentSpec:
        """The agent in force: the project's own file, or the built-in one."""
        if agent_id not in self._agents:
            self._agents[agent_id] = load_agent(agent_id, self._run.store.layout.folder / "agents")
        return self._agents[agent_id]

    async def prose(self, question: Question) -> CallRecord:
        """A prose answer, streamed; however it ends, a `finish` event says so."""
        try:
            record = await self._run.gateway.prose(self.request(question), self._listener(question))
        except ModelError as error:
            self._finish(question, error.error_kind)
            raise
        except asyncio.CancelledError:
            self._finish(question, "stopped", stopped=True)
            raise
        self._finish(question, record.finish_reason, record.step_count)
        return record

    def _finish(
        self, question: Question, reason: str, steps: int = 1, stopped: bool = False
    ) -> None:
        self._run.emit(
            Finish(
                stage=question.stage,
                agent=question.agent,
                scene=question.scene,
                finishReason=reason,
                stepCount=steps,
                stopped=stopped,
            )
        )

    async def structured(
        self,
        question: Question,
        answer: type[W],
        accept: Callable[[W], list[str]] | None = None,
    ) -> tuple[W, CallRecord]:
        """A structured answer; `accept` names what is wrong with a value of the right shape."""
        return await self._run.gateway.structured(
            self.request(question), answer, accept=accept, listen=self._thinking(question)
        )

    def request(self, question: Question) -> Request:
        """The call, whole: the same question of the same attempt gives the same request."""
        spec = self.agent(question.agent)
        dropped: tuple[str, ...] = ()
        if question.short and spec.short:
            system = render(spec.short, self._slots(question), spec.source)
            parts: tuple[Part, ...] = (Part("user", system.strip()),)
        else:
            system = render(spec.body, self._slots(question), spec.source)
            compiled = compile_prompt(
                system,
                spec.blocks,
                {**self._material.blocks(spec.blocks), **(question.blocks or {})},
                tag=self._tag,
                budget=self._run.gateway.provider.profile.window - self._max_tokens(question),
                estimate=self._run.gateway.provider.estimate_tokens,
            )
            parts, dropped = compiled.parts, compiled.dropped
        return Request(
            call=self._run.call_name(question.stage, question.what),
            stage=question.stage,
            agent=question.agent,
            role=question.role or spec.role,
            parts=parts,
            chapter=self._run.chapter,
            scene=question.scene,
            max_tokens=self._max_tokens(question),
            effort=spec.effort,
            sampling=Sampling(
                temperature=question.temperature or spec.sampling.temperature,
                top_p=spec.sampling.top_p,
                repeat_penalty=spec.sampling.repeat_penalty,
                seed=question.seed,
            ),
            input=self._run.checkpoint.direction,
            exemplars=question.exemplars,
            dropped_blocks=dropped,
            open_ended=question.short,
            annotate=_parts_of,
            wanted=_prose_of if question.agent == DRAFTER else None,
            source_sha256=text.sha256 if (text := self._run.text) else None,
        )

    @property
    def _tag(self) -> str:
        return f"m{self._run.checkpoint.run}"

    def _max_tokens(self, question: Question) -> int:
        profile = self._run.gateway.provider.profile
        wanted = question.max_tokens or self.agent(question.agent).max_tokens
        return min(wanted, profile.max_output, profile.window // _SHARE_OF_WINDOW)

    def _slots(self, question: Question) -> dict[str, str]:
        settings, language = self._run.settings, self._run.settings.novel.language
        return {
            "language": LANGUAGE_NAMES[language],
            "title": settings.novel.title,
            "genre": settings.novel.genre or "not stated",
            "point_of_view": settings.novel.point_of_view or "not stated",
            "unit": UNITS[language],
            "tag": self._tag,
            **(question.slots or {}),
        }

    def _listener(self, question: Question) -> Callable[[Delta], None]:
        thinking = self._thinking(question)
        drafting = question.agent == DRAFTER

        def listen(delta: Delta) -> None:
            if delta.kind == "reasoning":
                thinking(delta)
                return
            event: Event
            if drafting:
                event = Text(
                    stage=question.stage,
                    agent=question.agent,
                    scene=question.scene,
                    text=delta.text,
                )
            else:
                event = RewriteText(
                    stage=question.stage,
                    agent=question.agent,
                    scene=question.scene,
                    text=delta.text,
                    directive=question.directive,
                )
            self._run.emit(event)

        return listen

    def _thinking(self, question: Question) -> Callable[[Delta], None]:
        def listen(delta: Delta) -> None:
            if delta.kind == "reasoning":
                self._run.emit(
                    Reasoning(
                        stage=question.stage,
                        agent=question.agent,
                        scene=question.scene,
                        text=delta.text,
                    )
                )

        return listen


def _prose_of(answer: str) -> str:
    """What of a drafter's answer can stand in a chapter: notes alone are no scene (M1)."""
    return tidy(split_sections(answer).prose)


def _parts_of(answer: str) -> dict[str, str | None]:
    """The drafter's notes and hints, for the log (DESIGN section 5)."""
    sections = split_sections(answer)
    return {"pre_writing": sections.pre_writing, "hints": sections.hints}
