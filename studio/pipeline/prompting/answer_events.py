"""What is heard of an agent's answer while it comes: text, thoughts, look-ups, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from studio.llm.errors import ModelError
from studio.llm.provider import Delta, Listen
from studio.pipeline.events import Again, Event, Finish, Reasoning, TextBearing

if TYPE_CHECKING:
    from studio.pipeline.prompting.agent_call import Question

_Place = tuple[str, int | None, str | None]
"""Whose text it is: of which agent, for which scene, for which directive."""


class AnswerEvents:
    """Says whose each piece is, and where an answer takes the place of one that was heard."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._heard: dict[_Place, dict[int, list[str]]] = {}
        """The pieces that came of each place, by the part of it."""

    def say(self, kind: type[TextBearing], question: Question, **fields: object) -> None:
        """An event about the answer to a question."""
        whose = {"stage": question.stage, "agent": question.agent, "scene": question.scene}
        self._emit(kind.model_validate({**whose, **fields}))

    def stream(self, kind: type[TextBearing], question: Question, text: str) -> None:
        """A piece of the answer's text. The parts of a directive's rewrite stand apart."""
        if text:
            parts = self._heard.setdefault(_place(question), {})
            apart = question.directive and parts and question.part not in parts
            parts.setdefault(question.part, []).append(text)
            named = {"directive": question.directive} if "directive" in kind.model_fields else {}
            self.say(kind, question, text="\n\n" + text if apart else text, **named)

    def begin(self, kind: type[TextBearing], question: Question) -> None:
        """An answer begins; that a piece of an earlier try was heard, one that failed or was too
        short, is said. Other parts of a directive's rewrite, which stand, are said once more."""
        parts = self._heard.get(_place(question), {})
        if parts.pop(question.part, None):
            self.say(Again, question, directive=question.directive)
            if question.directive and parts:
                text = "\n\n".join(map("".join, parts.values()))
                self.say(kind, question, text=text, directive=question.directive)

    def thinking(self, question: Question) -> Listen:
        """Passes on what a model thinks."""

        def listen(delta: Delta) -> None:
            if delta.kind == "reasoning":
                self.say(Reasoning, question, text=delta.text)

        return listen

    @contextmanager
    def finishing(self, question: Question) -> Iterator[None]:
        """Says how a generation ended that did not come to its end."""
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
