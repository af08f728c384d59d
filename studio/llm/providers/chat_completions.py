"""Reaches any server that speaks OpenAI's chat completions API: llama.cpp, vLLM, LM Studio, Ollama.

It is chosen only by name and address in the writer's own config: no API key in the environment
selects it, and none is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import orjson

from studio.config.schema import Role
from studio.foreign_json import JsonError, read_json
from studio.llm.errors import ModelError
from studio.llm.keys import Key
from studio.llm.provider import Listen, ModelProfile, Reply, Request, high_estimate, token_ceiling
from studio.llm.providers.chat_chunks import ChatChunks
from studio.llm.providers.event_stream import stream_events
from studio.llm.providers.failures import wire_failures
from studio.llm.providers.http import http_client
from studio.llm.providers.listing import ListedModel, list_models, with_models_named
from studio.llm.providers.messages import Answer, sampling_of, schema_in_words
from studio.llm.providers.windows import stated_window
from studio.llm.providers.wire_errors import (
    from_event,
    from_status,
    not_a_messages_server,
)
from studio.llm.stream import Deadlines, deadlines_for
from studio.llm.tools import Turn, uses_in

if TYPE_CHECKING:
    import httpx2

DONE = "[DONE]"


class ChatCompletionsProvider:
    """The chat completions API at one address, with one model id per role."""

    def __init__(
        self,
        api_key: Key | str | None,
        models: Mapping[Role, str],
        *,
        base_url: str,
        profile: ModelProfile,
        deadlines: Deadlines | None = None,
    ) -> None:
        self._key = api_key if isinstance(api_key, Key) else Key(api_key or "")
        self._base_url = base_url.rstrip("/")
        self._root = self._base_url if urlsplit(self._base_url).path else f"{self._base_url}/v1"
        self._models = dict(models)
        self._profile = profile
        self._deadlines = deadlines or deadlines_for(base_url)
        self._client: httpx2.AsyncClient | None = None

    @property
    def profile(self) -> ModelProfile:
        """The capabilities that all of its models share."""
        return self._profile

    def model_for(self, role: Role) -> str:
        """Returns the model id used for a role."""
        return self._models[role]

    def estimate_tokens(self, text: str) -> int:
        """Returns a cheap token estimate on the high side."""
        return high_estimate(text)

    async def listed(self) -> tuple[ListedModel, ...]:
        """Returns the models the server offers; raises ModelError where it has no list."""
        await asyncio.to_thread(self._key.reveal)
        return await list_models(*self._list_of_models())

    async def stated_window(self) -> int | None:
        """Returns the context window in tokens that the server reports, or None."""
        await asyncio.to_thread(self._key.reveal)
        return await stated_window(*self._list_of_models(), self._models.values())

    def _list_of_models(self) -> tuple[str, str, dict[str, str]]:
        """Returns the URL of the model list, the server's base URL, and the headers to send."""
        return f"{self._root}/models", self._base_url, self._headers()

    async def stream(self, request: Request, listen: Listen) -> Reply:
        """Makes one attempt; cancellation closes the connection. ModelError has partial text."""
        model = self.model_for(request.role)
        answer = Answer(model)
        client = await self._connect()
        with wire_failures(self._key, self._base_url, answer):
            try:
                body = chat_body(request, model, self._profile)
                await self._receive(client, body, answer, listen)
            except ModelError as error:
                if error.error_kind == "not_found":
                    error = await with_models_named(error, model, *self._list_of_models())
                raise error from None
        return answer.reply()

    async def close(self) -> None:
        """Closes the provider's connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _headers(self) -> dict[str, str]:
        key = self._key.known
        return {"authorization": f"Bearer {key}"} if key else {}

    async def _connect(self) -> httpx2.AsyncClient:
        if self._client is None:
            await asyncio.to_thread(self._key.reveal)
            self._client = await asyncio.to_thread(http_client, self._base_url, self._deadlines)
        return self._client

    async def _receive(
        self, client: httpx2.AsyncClient, body: dict[str, Any], answer: Answer, listen: Listen
    ) -> None:
        address = f"{self._root}/chat/completions"
        async with client.stream("POST", address, json=body, headers=self._headers()) as response:
            if not response.is_success:
                await response.aread()
                raise _refusal(response)
            async with (
                aclosing(response.aiter_bytes()) as pieces,
                aclosing(stream_events(pieces)) as events,
            ):
                chunks = ChatChunks()
                async for stream_event in events:
                    if stream_event.data.strip() == DONE:
                        break
                    chunk = stream_event.value or {}
                    if chunk.get("error"):
                        raise from_event(chunk, answer)
                    for event in chunks.as_events(chunk):
                        for delta in answer.take(event):
                            listen(delta)
            content_type = response.headers.get("content-type", "")
            if not answer.began and "event-stream" not in content_type:
                raise not_a_messages_server(self._base_url, content_type)


def _refusal(response: httpx2.Response) -> ModelError:
    try:
        body = read_json(response.content)
    except JsonError:
        body = None
    return from_status(response.status_code, body, response.headers.get("retry-after"))


def chat_body(request: Request, model: str, profile: ModelProfile) -> dict[str, Any]:
    """Returns the request body. The schema of a structured answer is also put into words, because
    many servers ignore the schema itself."""
    messages: list[dict[str, Any]] = [
        {"role": m.role, "content": m.content} for m in request.messages
    ]
    messages += [message for turn in request.turns for message in _turn(turn)]
    body: dict[str, Any] = {
        "model": model,
        "messages": messages,
        "max_tokens": token_ceiling(request, profile),
        "stream": True,
        "stream_options": {"include_usage": True},
        **sampling_of(request),
        **_tools(request),
    }
    if request.schema is not None:
        messages.append({"role": "user", "content": schema_in_words(request.schema)})
        if len(messages) > 1 and messages[-2]["role"] == "user":  # some servers refuse two in a row
            words = messages.pop()["content"]
            messages[-1] = {"role": "user", "content": f"{messages[-1]['content']}\n\n{words}"}
        form = {"name": "answer", "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def _tools(request: Request) -> dict[str, Any]:
    """Returns the look-ups on offer. They stay listed while the messages contain one, so the last
    step lists and forbids them."""
    if not request.tools:
        return {}
    functions = [
        {"name": tool.name, "description": tool.description, "parameters": tool.schema}
        for tool in request.tools
    ]
    choice = {"tool_choice": "none"} if request.must_answer else {}
    return {"tools": [{"type": "function", "function": row} for row in functions], **choice}


def _turn(turn: Turn) -> list[dict[str, Any]]:
    """Returns an earlier step as messages: the model's look-ups, and an answer to each."""
    words = "".join(block["text"] for block in turn.content if block["type"] == "text")
    calls = [
        {
            "id": use.id,
            "type": "function",
            "function": {"name": use.name, "arguments": orjson.dumps(use.args).decode()},
        }
        for use in uses_in(turn.content)
    ]
    answers = [
        {"role": "tool", "tool_call_id": use_id, "content": text} for use_id, text in turn.answers
    ]
    return [{"role": "assistant", "content": words, "tool_calls": calls}, *answers]
