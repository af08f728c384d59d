"""What arrives at the server: order, breakpoints, schema, sampling, headers."""

from __future__ import annotations

import pytest

from studio.llm.provider import PromptPart, ToolSpec
from studio.llm.providers.messages import StreamedAnswer, body
from studio.llm.providers.profiles import CLAUDE
from studio.llm.structured import form_of
from studio.story.review.answers import JudgeAnswer
from tests.fake_messages import Asked, Rule
from tests.llm.asking import LOCAL, Ear, MemoryJournal, asked, gateway_at, provider_at
from tests.llm.conftest import Serve


async def sent(serve: Serve, models: dict[str, str] | None = None, **changes: object) -> Asked:
    server = serve(Rule(text="The lamp was lit."))
    await gateway_at(server.url, MemoryJournal(), models=models).prose(asked(**changes))  # type: ignore[arg-type]
    return server.asked[0]


async def test_parts_arrive_in_order(serve: Serve) -> None:
    arrived = await sent(serve)
    assert [block["text"] for block in arrived.blocks] == [part.text for part in asked().parts]
    assert arrived.body["messages"][0]["role"] == "user"


# req: C4
async def test_breakpoints_stand_on_the_last_stable_parts(serve: Serve) -> None:
    marked = ["cache_control" in block for block in (await sent(serve)).blocks]
    assert marked == [True, True, True, False]


# req: C4
def test_a_prompt_with_look_ups_has_no_more_breakpoints_than_the_four_the_api_takes() -> None:
    parts = (
        *(PromptPart("system", f"Book {number}.", stable=True) for number in range(3)),
        *(PromptPart("user", f"Chapter {number}.", stable=True) for number in range(3)),
        PromptPart("user", "Write."),
    )
    request = asked(parts=parts, tools=(ToolSpec("find_world", "Finds.", {"type": "object"}),))
    sent = body(request, "claude-opus-5-5", CLAUDE)
    blocks = [*sent["system"], *sent["messages"][0]["content"]]
    marked = ["cache_control" in block for block in blocks]
    assert marked == [False, True, True, False, False, True, True]


async def test_empty_parts_are_not_sent(serve: Serve) -> None:
    parts = (PromptPart("system", " ", stable=True), PromptPart("user", "Write."))
    assert [block["text"] for block in (await sent(serve, parts=parts)).blocks] == ["Write."]


async def test_claude_gets_effort_and_no_sampling(serve: Serve) -> None:
    body = (await sent(serve, effort="low")).body
    assert body["output_config"] == {"effort": "low"}
    assert not {"temperature", "top_p", "top_k"} & set(body)
    assert body["stream"] is True


async def test_a_thinking_model_gets_room_for_its_thinking(serve: Serve) -> None:
    assert (await sent(serve, effort="medium")).body["max_tokens"] == 2000 + 8192


async def test_a_local_model_gets_sampling_and_nothing_it_does_not_know(serve: Serve) -> None:
    arrived = await sent(serve, LOCAL)
    assert (arrived.body["temperature"], arrived.body["top_p"]) == (0.7, 0.9)
    assert arrived.body["max_tokens"] == 2000
    assert "output_config" not in arrived.body
    assert not any("cache_control" in block for block in arrived.blocks)


async def test_claude_gets_the_strict_form_of_a_schema(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve()
    await gateway_at(server.url, journal).structure(asked(), JudgeAnswer)
    schema = server.asked[0].schema
    assert schema is not None
    assert schema["additionalProperties"] is False


async def test_a_local_model_gets_the_schema_in_words_too(
    serve: Serve, journal: MemoryJournal
) -> None:
    server = serve()
    await gateway_at(server.url, journal, models=LOCAL).structure(asked(), JudgeAnswer)
    assert "emotional_impact" in server.asked[0].blocks[-1]["text"]
    assert server.asked[0].schema == form_of(JudgeAnswer)


async def test_the_second_call_reads_its_prefix_from_the_cache(
    serve: Serve, journal: MemoryJournal
) -> None:
    gateway = gateway_at(serve().url, journal)
    await gateway.prose(asked("First scene."))
    record = await gateway.prose(asked("Second scene."))
    assert record.total_usage is not None
    assert record.total_usage.cache_read_tokens
    assert not record.total_usage.cache_write_tokens


async def test_key_and_address_come_from_the_settings_alone(
    serve: Serve, journal: MemoryJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = serve()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", stranger.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-the-shell")
    server = serve()
    await gateway_at(server.url, journal).prose(asked())
    headers = {name.lower(): value for name, value in server.asked[0].headers.items()}
    assert headers["authorization"] == "Bearer key-of-the-writer"
    assert "key-of-the-shell" not in str(headers)
    assert stranger.asked == []


async def test_an_address_with_the_version_in_it_is_understood(serve: Serve) -> None:
    server = serve(Rule(text="The lamp was lit."))
    provider = provider_at(f"{server.url}/v1/")
    assert (await provider.stream(asked(), Ear())).text == "The lamp was lit."
    await provider.close()
    assert server.asked[0].path == "/v1/messages"


@pytest.mark.parametrize("odd", [-3, 10**30 * 1.0, "many", None, True])
def test_odd_token_counts_are_no_counts(odd: object) -> None:  # req: M11
    answer = StreamedAnswer("m")
    end = {"type": "message_delta", "delta": {}, "usage": {"output_tokens": odd}}
    list(answer.take(end))
    assert answer.usage.output_tokens is None


@pytest.mark.parametrize("event", [{}, {"type": 3}, {"type": "message_start", "message": []}])
def test_events_of_no_form_are_signs_of_life(event: dict[str, object]) -> None:
    assert [delta.text for delta in StreamedAnswer("m").take(event)] == [""]
