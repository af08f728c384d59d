"""The events of an agent's answer while it streams: text, reasoning, look-ups, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from studio.llm.errors import ModelError
from studio.llm.provider import Delta, Listen
from studio.pipeline.events import Again, Event, Finish, Reasoning, TextBearing
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.turns import is_kept

_Place = tuple[str, int | None, str | None]
"""The place of a text: its agent, its scene and its directive."""


class AnswerEvents:
    """Emits each piece with its place, and says when an answer replaces one that was streamed
    before."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._heard: dict[_Place, dict[int, list[str]]] = {}
        """The pieces streamed for each place, by the part of its text."""

    def say(self, kind: type[TextBearing], question: Question, **fields: object) -> None:
        """Emits an event about the answer to a question."""
        whose = {"stage": question.stage, "agent": question.agent, "scene": question.scene}
        self._emit(kind.model_validate({**whose, **fields}))

    def stream(self, kind: type[TextBearing], question: Question, text: str) -> None:
        """Emits a piece of the answer's text. The parts of a directive's rewrite are separated."""
        if is_kept(partial(self.stream, kind, question, text)):
            return
        if text:
            parts = self._heard.setdefault(_place(question), {})
            apart = question.directive and parts and question.part not in parts
            parts.setdefault(question.part, []).append(text)
            named = {"directive": question.directive} if "directive" in kind.model_fields else {}
            self.say(kind, question, text="\n\n" + text if apart else text, **named)

    def begin(self, kind: type[TextBearing], question: Question) -> None:
        """Begins an answer. If pieces of an earlier try were streamed, one that failed or was
        too short, emits `Again`; other parts of a directive's rewrite, which still stand, are
        then emitted again."""
        if is_kept(partial(self.begin, kind, question)):
            return
        parts = self._heard.get(_place(question), {})
        if parts.pop(question.part, None):
            self.say(Again, question, directive=question.directive)
            if question.directive and parts:
                text = "\n\n".join(map("".join, parts.values()))
                self.say(kind, question, text=text, directive=question.directive)

    def thinking(self, question: Question) -> Listen:
        """Returns a listener that passes a model's reasoning on."""

        def listen(delta: Delta) -> None:
            if delta.kind == "reasoning":
                self.say(Reasoning, question, text=delta.text)

        return listen

    @contextmanager
    def finishing(self, question: Question) -> Iterator[None]:
        """Emits how a generation ended if it did not complete."""
        try:
            yield
        except ModelError as error:
            self.say(Finish, question, finishReason=error.error_kind)
            raise
        except asyncio.CancelledError:
            self.say(Finish, question, finishReason="stopped", stopped=True)
            raise


def _place(question: Question) -> _Place:
    return question.agent, question.scene, question.directive
