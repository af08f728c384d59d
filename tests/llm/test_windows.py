"""How much a model takes at once: stated by its server, or only assumed; and servers that cut."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from studio.llm.errors import ModelError
from studio.llm.gateway import Gateway
from studio.llm.provider import PromptPart, high_estimate, low_estimate
from studio.llm.providers.http import LARGEST_PAGE
from studio.llm.providers.profiles import profile_for
from tests.fake_messages import Rule
from tests.llm.asking import LOCAL, MemoryJournal, asked, gateway_at, provider_at
from tests.llm.conftest import Serve

NAME = LOCAL["deep"]
LONG = "The fog came in over the lamp room before noon. " * 800
KOREAN = "등대지기는 안개가 걷히기를 기다렸다. " * 800


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("path", "page", "window"),
    [
        ("/v1/models", {"data": [{"id": NAME, "max_model_len": 32768}]}, 32768),
        ("/v1/models", {"data": [{"id": NAME, "context_length": 65536}]}, 65536),
        ("/v1/models", {"data": [{"id": NAME, "meta": {"n_ctx": 16384}}]}, 16384),
        ("/api/v0/models", {"data": [{"id": NAME, "loaded_context_length": 12288}]}, 12288),
        ("/api/ps", {"models": [{"name": NAME, "context_length": 4096}]}, 4096),
        ("/props", {"default_generation_settings": {"n_ctx": 24576}}, 24576),
        ("/v1/models", {"data": [{"id": NAME, "meta": {"n_ctx_train": 131072}}]}, None),
        ("/v1/models", {"data": [{"id": "another", "max_model_len": 32768}]}, None),
        ("/v1/models", {"data": [{"id": NAME, "max_model_len": True}]}, None),
        ("/v1/models", {"data": [{"id": NAME, "max_model_len": 12}, 3, {"id": 4}]}, None),
        ("/props", {"default_generation_settings": {"n_ctx": "much"}}, None),
        ("/props", [], None),
        ("/nowhere", {}, None),
    ],
)
async def test_a_window_is_what_the_server_says_is_in_force(
    serve: Serve, path: str, page: Any, window: int | None
) -> None:
    server = serve()
    server.pages[path] = page
    assert await provider_at(server.url, LOCAL).stated_window() == window
    assert server.asked == [], "no model was asked"


async def test_of_several_models_the_smallest_window_counts(serve: Serve) -> None:
    server = serve()
    models = {"deep": "big", "standard": "small", "fast": "small"}
    rows = [{"id": "big", "max_model_len": 65536}, {"id": "small", "max_model_len": 16384}]
    server.pages["/v1/models"] = {"data": rows}
    assert await provider_at(server.url, models).stated_window() == 16384
    server.pages["/v1/models"] = {"data": rows[:1]}
    assert await provider_at(server.url, models).stated_window() is None


async def test_a_server_that_is_not_there_says_nothing() -> None:
    assert await provider_at("http://127.0.0.1:9", LOCAL).stated_window() is None


def test_only_a_model_nobody_knows_has_an_assumed_window() -> None:
    assert profile_for({"deep": "claude-opus-5-5"}).window_known
    assert not profile_for({"deep": "qwen3"}).window_known
    assert profile_for({"deep": "qwen3"}, {"window": 4096}).window_known


def read(tokens: int) -> Rule:
    """An answer by a server that read so many tokens."""
    counts = {"input_tokens": tokens, "output_tokens": 9, "cache_read_input_tokens": 0}
    return Rule(text="The lamp was lit.", usage={**counts, "cache_creation_input_tokens": 0})


@pytest.mark.parametrize("prompt", [LONG, KOREAN])
async def test_an_answer_to_half_a_prompt_is_a_failed_call(
    serve: Serve, journal: MemoryJournal, prompt: str
) -> None:
    server = serve(read(2048))
    gateway = gateway_at(server.url, journal, models=LOCAL)
    with pytest.raises(ModelError, match="this server cuts prompts: it read 2,048 tokens") as ended:
        await gateway.prose(asked(parts=(PromptPart("user", prompt),)))
    assert (ended.value.error_kind, ended.value.retryable) == ("too_large", False)
    assert "window = 2048" in (ended.value.problem.hint or "")
    assert len(server.asked) == 1, "a second try would be cut as well"
    assert [record.generated_text for record in journal.aside()] == ["The lamp was lit."]


@pytest.mark.parametrize(
    "tokens",
    [
        pytest.param(low_estimate(LONG), id="as many as the thriftiest vocabulary has"),
        pytest.param(high_estimate(LONG), id="as many as are feared"),
        pytest.param(100, id="too few for any window: it counts something else"),
    ],
)
async def test_a_whole_prompt_is_not_taken_for_a_cut_one(
    serve: Serve, journal: MemoryJournal, tokens: int
) -> None:
    server = serve(read(tokens))
    record = await gateway_at(server.url, journal, models=LOCAL).prose(
        asked(parts=(PromptPart("user", LONG),))
    )
    assert record.generated_text == "The lamp was lit."


async def test_who_counts_wrong_may_be_disbelieved(serve: Serve, journal: MemoryJournal) -> None:
    server = serve(read(2048))
    profile = profile_for({"deep": NAME}, {"counts": False})
    gateway = Gateway(provider_at(server.url, LOCAL, profile=profile), journal)
    assert (await gateway.prose(asked(parts=(PromptPart("user", LONG),)))).generated_text


async def test_a_page_without_end_is_read_no_further_than_a_page_may_be_long() -> None:  # req: R6
    sent = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[")
        with suppress(OSError):
            while True:
                writer.write(b" " * 65536)
                await writer.drain()
                sent += 65536
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        provider = provider_at(url, LOCAL)
        assert await provider.stated_window() is None
        with pytest.raises(ModelError, match="its list of models does not end"):
            await provider.list_models()
    assert sent < 20 * LARGEST_PAGE
