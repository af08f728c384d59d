"""Reaches any server that speaks OpenAI's chat completions API: llama.cpp, vLLM, LM Studio, Ollama.

It is chosen only by name and address in the writer's own config: no API key in the environment
selects it, and none is sent. Its stream is translated into equivalent events of the Messages API. A
chunk names a look-up's id and name once and brings its arguments in pieces (OpenAI, vLLM), or all
at once and without an id (Ollama, llama.cpp in some versions); either form becomes a separate
block, which can be sent back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import orjson

from studio.config.schema import Role
from studio.foreign_json import JsonError, read_json
from studio.llm.errors import ModelError
from studio.llm.keys import Key
from studio.llm.provider import (
    FinishReason,
    Listen,
    ModelProfile,
    Reply,
    Request,
    Turn,
    token_ceiling,
    uses_in,
)
from studio.llm.providers.event_stream import stream_events
from studio.llm.providers.http import http_client
from studio.llm.providers.messages import CHUNK, StreamedAnswer, sampling_of, schema_in_words
from studio.llm.providers.server_models import (
    ModelServer,
    with_models_named,
)
from studio.llm.providers.wire_errors import (
    from_event,
    from_status,
    not_a_messages_server,
    wire_failures,
)
from studio.llm.stream import Deadlines, deadlines_for

if TYPE_CHECKING:
    import httpx2


FINISHES: dict[str, FinishReason] = {
    "stop": "end",
    "length": "length",
    "content_filter": "refusal",
    "tool_calls": "tool_use",
}
_STOP_REASONS: dict[FinishReason, str] = {
    "end": "end_turn",
    "length": "max_tokens",
    "refusal": "refusal",
    "tool_use": "tool_use",
}
_WORDS = 0
"""The index of the block that holds the answer's text; look-ups follow it."""
MOST_LOOK_UPS = 64
"""The maximum number of look-ups in one answer; any beyond it are ignored."""


class ChatChunks:
    """Reads the chunks of one answer in order."""

    def __init__(self) -> None:
        self._speaks = False
        self._block_of: dict[int, int] = {}
        """Maps the server's index of a look-up to the index of its block."""
        self._id_of: dict[int, str] = {}

    def as_events(self, chunk: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns the events for a chunk; an unrecognized chunk counts only as a sign of life."""
        choice = _table(_first(chunk.get("choices")))
        delta = _table(choice.get("delta"))
        begun: dict[str, Any] = {"type": CHUNK if choice else "ping"}
        events: list[dict[str, Any]] = [begun, *self._words(delta)]
        calls = delta.get("tool_calls")
        for position, call in enumerate(calls if isinstance(calls, list) else ()):
            events += self._look_up(position, _table(call))
        finish = choice.get("finish_reason")
        if isinstance(finish, str):
            events.append({"type": "message_delta", "delta": {"stop_reason": self._reason(finish)}})
        if isinstance(chunk.get("usage"), dict):
            events.append({"type": "message_delta", "usage": _usage(chunk["usage"])})
        return events

    def _words(self, delta: dict[str, Any]) -> Iterator[dict[str, Any]]:
        thinking = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(thinking, str) and thinking:
            yield {"type": "content_block_delta", "delta": {"thinking": thinking}}
        text = delta.get("content")
        if not isinstance(text, str) or not text:
            return
        if not self._speaks:
            self._speaks = True
            yield _start(_WORDS, {"type": "text", "text": ""})
        yield _piece(_WORDS, {"type": "text_delta", "text": text})

    def _look_up(self, position: int, call: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yields the start of a look-up where a chunk names one, and
        the arguments received so far."""
        function, number = _table(call.get("function")), call.get("index")
        number = number if isinstance(number, int) else position
        name, call_id = function.get("name"), call.get("id")
        if isinstance(name, str) and name and self._is_new(number, call_id):
            block = len(self._id_of) + 1
            if block > MOST_LOOK_UPS:
                return
            own_id = call_id if isinstance(call_id, str) and call_id else f"call_{block}"
            self._block_of[number], self._id_of[block] = block, own_id
            yield _start(block, {"type": "tool_use", "id": own_id, "name": name, "input": {}})
        written = function.get("arguments")
        if isinstance(written, str) and written and number in self._block_of:
            piece = {"type": "input_json_delta", "partial_json": written}
            yield _piece(self._block_of[number], piece)

    def _is_new(self, number: int, call_id: object) -> bool:
        """Whether a named look-up differs from the one already at its index: some servers repeat
        the name with every piece, and some give every look-up the index 0."""
        if number not in self._block_of:
            return True
        return isinstance(call_id, str) and call_id not in ("", self._id_of[self._block_of[number]])

    def _reason(self, finish: str) -> str:
        """Returns the stop reason. Some servers report a normal end for look-ups too."""
        if finish == "stop" and self._id_of:
            finish = "tool_calls"
        return _STOP_REASONS.get(FINISHES.get(finish, "other"), finish)


def _first(rows: object) -> object:
    return rows[0] if isinstance(rows, list) and rows else None


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _start(index: int, block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def _piece(index: int, delta: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def _usage(usage: dict[str, Any]) -> dict[str, Any]:
    """Returns token counts under the names of the Messages API, with
    cached tokens counted separately."""
    cached = _table(usage.get("prompt_tokens_details")).get("cached_tokens")
    cached = cached if isinstance(cached, int) and not isinstance(cached, bool) else 0
    prompt = usage.get("prompt_tokens")
    counts = {"output_tokens": usage.get("completion_tokens"), "cache_read_input_tokens": cached}
    if isinstance(prompt, int):
        counts["input_tokens"] = max(0, prompt - cached)
    return counts


DONE = "[DONE]"


class ChatCompletionsProvider(ModelServer):
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
        super().__init__(
            api_key if isinstance(api_key, Key) else Key(api_key or ""),
            models,
            base_url.rstrip("/"),
            profile,
            deadlines or deadlines_for(base_url),
        )
        self._root = self._base_url if urlsplit(self._base_url).path else f"{self._base_url}/v1"
        self._client: httpx2.AsyncClient | None = None

    def _list_of_models(self) -> tuple[str, str, dict[str, str]]:
        return f"{self._root}/models", self._base_url, self._headers()

    async def stream(self, request: Request, listen: Listen) -> Reply:
        """Makes one attempt; cancellation closes the connection. ModelError has partial text."""
        model = self.model_for(request.role)
        answer = StreamedAnswer(model)
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
        self,
        client: httpx2.AsyncClient,
        body: dict[str, Any],
        answer: StreamedAnswer,
        listen: Listen,
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
