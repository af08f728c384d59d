"""Holds what `studio context --agent` shows beside every request of a run, in process."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from studio.llm.provider import Request
from studio.pipeline.orders import PassageOrder
from studio.pipeline.previews.preview import Preview
from studio.pipeline.prompting.agent_call import AgentCalls
from studio.pipeline.prompting.agent_question import Question
from tests.pipeline.flows import Desk

_LATER = ("-again", "-a2", "-a3", "-disproof")
"""Ends of the names of calls that repeat one that could not be used, or answer what another found:
what they are made of is in no file."""


def every_call_is_shown_as_it_is_sent(
    desk_: Desk, monkeypatch: pytest.MonkeyPatch, order: PassageOrder | None = None
) -> list[str]:
    """From now on each request, those of a passage's `order` or those of chapters, is compared,
    before it goes out, with what is shown from disk.

    Returns the agents that were compared, in order.
    """
    compared: list[str] = []
    send = AgentCalls._request_to_send

    def looked_at(
        self: AgentCalls, question: Question, answer: type[BaseModel] | None = None
    ) -> Request:
        request = send(self, question, answer)
        if question.agent != "second-reader" and not question.what.endswith(_LATER):
            previews = desk_.session().previews()
            ahead = (
                previews.of_agent(question.agent, request.chapter, question.scene)
                if order is None
                else previews.of_passage(order)
            )
            assert isinstance(ahead, Preview), (question.agent, ahead)
            assert not ahead.pending
            assert ahead.request.messages == request.messages, question.agent
            assert ahead.request.sha256 == request.sha256
            assert ahead.request.call == request.call
            compared.append(question.agent)
        return request

    monkeypatch.setattr(AgentCalls, "_request_to_send", looked_at)
    return compared
