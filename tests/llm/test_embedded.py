"""The model in this process, for real."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from studio.llm.errors import ModelError
from studio.llm.gateway import Gateway
from studio.llm.provider import PromptPart, Sampling
from studio.llm.providers.embedded import (
    EmbeddedProvider,
    find_bundled_model,
    is_available,
    thread_count,
)
from tests.llm.asking import Ear, MemoryJournal, asked

MODEL = find_bundled_model()
needs_model = pytest.mark.skipif(
    MODEL is None or not is_available(), reason="the dependency group `model` is not installed"
)
STORY = (
    "Mara climbed the last steps to the lamp room. The glass was cold under her hand."
    "\n\nContinue this story with six short paragraphs:"
)
SAMPLING = Sampling(temperature=0.8, top_p=0.95, repeat_penalty=1.1, seed=7)
REQUEST = asked(parts=(PromptPart("user", STORY),), max_tokens=60, sampling=SAMPLING)


@pytest.fixture
async def provider() -> AsyncIterator[EmbeddedProvider]:
    assert MODEL is not None
    provider = EmbeddedProvider(MODEL)
    yield provider
    await provider.close()


@pytest.mark.sweep
@needs_model
@pytest.mark.embedded
async def test_it_streams_prose_and_counts_real_tokens(
    provider: EmbeddedProvider, capfd: pytest.CaptureFixture[str]
) -> None:
    ear = Ear()
    reply = await provider.stream(REQUEST, ear)
    assert reply.text == ear.text
    assert len(reply.text) > 100
    assert len([delta for delta in ear.deltas if delta.text]) > 20
    assert reply.finish_reason == "length"
    assert reply.usage.output_tokens == 60
    assert reply.usage.input_tokens
    assert capfd.readouterr() == ("", "")


@pytest.mark.sweep
@needs_model
@pytest.mark.embedded
async def test_cancelling_ends_it_and_the_next_call_works(provider: EmbeddedProvider) -> None:
    came = asyncio.Event()
    long = asked(parts=REQUEST.parts, max_tokens=2000, sampling=SAMPLING)
    heard = Ear()

    def listen(delta: object) -> None:
        heard(delta)  # type: ignore[arg-type]
        if heard.text:
            came.set()

    task = asyncio.create_task(provider.stream(long, listen))
    await came.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    reply = await provider.stream(REQUEST, Ear())
    assert reply.usage.output_tokens == 60


@pytest.mark.sweep
@needs_model
@pytest.mark.embedded
async def test_a_prompt_beyond_the_window_is_too_large(provider: EmbeddedProvider) -> None:
    request = asked(parts=(PromptPart("user", "The sea was quiet. " * 4000),), max_tokens=10)
    with pytest.raises(ModelError) as caught:
        await provider.stream(request, Ear())
    assert caught.value.error_kind == "too_large"


@pytest.mark.sweep
@needs_model
@pytest.mark.embedded
async def test_a_schema_is_enforced_by_grammar(provider: EmbeddedProvider) -> None:
    schema = {
        "type": "object",
        "properties": {"title": {"type": "string", "maxLength": 30}},
        "required": ["title"],
        "additionalProperties": False,
    }
    request = asked(
        parts=(PromptPart("user", "A title for a sea story."),), schema=schema, max_tokens=60
    )
    reply = await provider.stream(request, Ear())
    assert set(json.loads(reply.text)) == {"title"}


@pytest.mark.sweep
@needs_model
@pytest.mark.embedded
async def test_a_call_through_the_gateway_costs_nothing(
    provider: EmbeddedProvider, journal: MemoryJournal
) -> None:
    open_ended = replace(REQUEST, open_ended=True)
    record = await Gateway(provider, journal, waits=()).prose(open_ended)
    assert record.provider == "embedded"
    assert record.cost_usd == 0.0
    assert [entry.usd for entry in journal.usage if entry.event == "settle"] == [0.0]


@pytest.mark.embedded
@pytest.mark.skipif(not is_available(), reason="the extra `local` is not installed")
async def test_a_file_that_is_no_model_is_said_to_be_none(tmp_path: Path) -> None:
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + bytes(64))
    provider = EmbeddedProvider(file)
    with pytest.raises(ModelError, match="could not be loaded") as caught:
        await provider.stream(REQUEST, Ear())
    assert caught.value.error_kind == "load"


def test_some_core_is_left_for_the_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, threads in [(1, 1), (2, 1), (4, 3), (64, 8)]:
        monkeypatch.setattr(
            os, "sched_getaffinity", lambda _, n=cores: set(range(n)), raising=False
        )
        assert thread_count() == threads


class NoGlass:
    """A sieve that lets no glass pass."""

    def sentence_end(self, text: str) -> int:
        return text.find(". ") + 1

    def objection(self, before: str, sentence: str) -> str:
        return "glass" if "glass" in sentence.lower() else ""


@pytest.mark.sweep
@needs_model
@pytest.mark.embedded
async def test_a_sieve_keeps_sentences_out_at_twice_the_tokens_at_most(
    provider: EmbeddedProvider,
) -> None:
    ear = Ear()
    reply = await provider.stream(replace(REQUEST, sieve=NoGlass()), ear)
    assert reply.text == ear.text
    assert reply.text
    assert "glass" not in reply.text.lower()
    assert (reply.usage.output_tokens or 0) <= 2 * REQUEST.max_tokens + 2
