"""What a call costs that was stopped before its first word: its prompt, and the thinking that its
endpoint can have done since its answer began (WRITING 6)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from studio.llm.budget import USUAL_SHARE, prompt_estimate
from studio.llm.gateway import Gateway
from studio.llm.provider import Listen, Reply, Request
from studio.llm.providers.anthropic import AnthropicProvider
from studio.llm.providers.chat_completions import ChatChunks
from studio.llm.providers.messages import StreamedAnswer
from studio.story.ledger import Usual
from studio.story.records import UsageEntry
from tests.fake_messages import Rule
from tests.llm.asking import CLAUDE, LOCAL, NOON, MemoryJournal, asked, gateway_at, provider_at
from tests.llm.conftest import Serve

FINISHED = 3
"""Looks at the clock before an endpoint can have answered: when the attempt begins, for its
reserve, and for the record of what it asks."""
KOREAN = "등대의 계단은 백서른아홉 개였고 한나는 그것을 하나도 빠짐없이 세었다. " * 60


class Clock:
    """A clock that is 100 seconds later at each look."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> datetime:
        self.looks += 1
        return NOON + timedelta(seconds=100 * self.looks)


async def stopped(
    serve: Serve, journal: MemoryJournal, rule: Rule, models: dict[str, str] | None = None
) -> UsageEntry:
    """The end of a call that was stopped: as soon as its endpoint has answered, or while it holds
    the request back."""
    server, clock = serve(rule), Clock()
    gateway = gateway_at(server.url, journal, clock=clock, models=models)
    task = asyncio.create_task(gateway.prose(asked(call="003-draft-s02")))
    is_held = rule.mode == "slow"
    while not server.asked or (clock.looks <= FINISHED and not is_held):
        await asyncio.wait({task}, timeout=0.01)
        assert not task.done()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    server.released.set()
    return journal.usage[-1]


@pytest.mark.sweep
async def test_waiting_for_an_endpoint_to_answer_is_no_thinking(
    serve: Serve, journal: MemoryJournal
) -> None:
    end = await stopped(serve, journal, Rule(mode="slow"))
    assert end.settled_by == "stopped"
    assert end.usage is not None
    assert end.usage.output_tokens == 0
    assert end.usd is not None
    assert 0 < end.usd < (end.reserved_usd or 0) / 10


STARTED = {"type": "message_start", "message": {"usage": {"input_tokens": 40, "output_tokens": 1}}}
PING = {"type": "ping"}
THOUGHT = {"type": "content_block_start", "content_block": {"type": "thinking", "thinking": ""}}


class Silent(AnthropicProvider):
    """An endpoint that says so much, and then nothing."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        super().__init__("key", CLAUDE)
        self.events = events
        self.silence = asyncio.Event()

    async def stream(self, request: Request, listen: Listen) -> Reply:
        answer = StreamedAnswer(CLAUDE["standard"])
        for event in self.events:
            for delta in answer.take(event):
                listen(delta)
        self.silence.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody stopped it")


@pytest.mark.parametrize(
    ("events", "tokens"),
    [
        ([STARTED, PING, PING], 0),
        ([STARTED, PING, THOUGHT], 8000),
        (ChatChunks().as_events({"choices": []}), 0),
        (ChatChunks().as_events({"choices": [{"delta": {"role": "assistant"}}]}), 8000),
    ],
    ids=["it has the prompt", "it thinks", "a chunk of nothing", "a chunk of an answer"],
)
async def test_who_has_only_said_that_it_is_there_has_not_thought(
    events: list[dict[str, Any]], tokens: int, journal: MemoryJournal
) -> None:
    provider = Silent(events)
    gateway = Gateway(provider, journal, clock=Clock())
    task = asyncio.create_task(gateway.prose(asked()))
    await asyncio.wait_for(provider.silence.wait(), 30)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    end = journal.usage[-1]
    assert end.usage is not None
    assert end.usage.output_tokens == tokens
    assert end.is_estimate
    if STARTED in events:
        assert end.usage.input_tokens == 40, "as it was counted"


# req: J6
async def test_silence_after_an_answer_has_begun_is_thinking_and_its_prompt_is_as_reported(
    serve: Serve, journal: MemoryJournal
) -> None:
    end = await stopped(serve, journal, Rule(mode="hold", after=0))
    assert end.usage is not None
    assert end.usage.output_tokens == 8000, "100 seconds"
    assert end.usage.input_tokens != prompt_estimate(provider_at("http://x"), asked())


async def test_a_model_that_does_not_think_has_done_nothing_in_silence(
    serve: Serve, journal: MemoryJournal
) -> None:
    end = await stopped(serve, journal, Rule(mode="hold", after=0), LOCAL)
    assert end.usage is not None
    assert end.usage.output_tokens == 0


async def test_silence_costs_no_more_than_such_an_answer_ever_had_and_is_no_example(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve(Rule(usage={"input_tokens": 40, "output_tokens": 1200}))
    await gateway_at(server.url, journal).prose(asked())
    whole = journal.usage[-1]
    end = await stopped(serve, journal, Rule(mode="hold", after=0))
    assert end.usage is not None
    assert end.usage.output_tokens == 1200
    usual = Usual.of(journal.usage, asked().generation_id, whole.model)
    assert (usual.usd, usual.tokens) == (whole.usd, 1200), "an estimate makes no offer"


@pytest.mark.parametrize("share", [0.3, 0.75, 1.0])
async def test_what_an_endpoint_counts_corrects_the_estimates_that_follow(
    serve: Serve, journal: MemoryJournal, share: float
) -> None:
    request = asked(KOREAN)
    estimated = prompt_estimate(provider_at("http://x"), request)
    counted = round(estimated * share)
    server = serve(Rule(usage={"input_tokens": counted, "output_tokens": 900}))
    gateway = gateway_at(server.url, journal)
    await gateway.prose(request)
    other = asked(KOREAN, call="003-judge", stage="judge", agent="quality-oracle", max_tokens=900)
    about = gateway.estimate(other).about
    alone = gateway_at(server.url, MemoryJournal()).estimate(other)
    assert about is not None
    assert alone.about is not None
    assert alone.most == gateway.estimate(other).most, "the most that it can cost stays"
    spared = estimated * (USUAL_SHARE - share) * 2 / 10**6
    assert alone.about - about == pytest.approx(spared, rel=0.1, abs=5e-5)


async def test_before_the_first_call_an_answer_is_as_long_as_its_plan_asks_for() -> None:
    gateway = gateway_at("http://127.0.0.1:9", MemoryJournal())
    by_size = gateway.estimate(asked("Write.", max_tokens=12_000))
    by_plan = gateway.estimate(replace(asked("Write.", max_tokens=12_000), likely_tokens=600))
    assert by_size.about is not None
    assert by_plan.about is not None
    assert by_plan.most == by_size.most
    assert by_plan.about < by_size.about / 2
