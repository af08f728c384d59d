"""Converts between requests and replies and the wire format of the Messages API.

The blocks of a streamed answer are put together so that they can be sent back unchanged: a model
that asked for look-ups gets its own turn back as it was, words, look-ups and thinking with its
signature.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from studio.foreign_json import JsonError, read_json
from studio.llm.provider import (
    AnswerDelta,
    FinishReason,
    ModelProfile,
    PromptPart,
    Reply,
    Request,
    token_ceiling,
)
from studio.llm.providers.profiles import is_claude
from studio.llm.surrogates import SurrogateJoiner, mend, mended
from studio.story.records import Usage

_PIECES = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}
"""Maps each kind of delta to the field that holds its piece."""
_WHOLE = ("redacted_thinking", "text", "thinking", "tool_use")
"""The kinds of blocks that can be sent back."""
_LARGEST_ARGUMENTS = 20_000
"""The limit in bytes; a look-up takes a name or a few words."""


class AnswerBlocks:
    """Collects the events of one answer, in any order and from any server."""

    def __init__(self) -> None:
        self._started: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, dict[str, list[str]]] = {}

    def take(self, event: dict[str, Any]) -> None:
        """Adds an event's content to its block."""
        index = event.get("index")
        if not isinstance(index, int):
            return
        block, delta = event.get("content_block"), event.get("delta")
        if isinstance(block, dict):
            self._started[index] = block
        field = _PIECES.get(str(delta.get("type"))) if isinstance(delta, dict) else None
        piece = delta.get(field) if isinstance(delta, dict) and field else None
        if field and isinstance(piece, str):
            self._pieces.setdefault(index, {}).setdefault(field, []).append(piece)

    @property
    def content(self) -> tuple[dict[str, Any], ...]:
        """The blocks to send back; empty when no usable look-up is among them."""
        blocks = [self._whole(index) for index in sorted(self._started)]
        sendable = tuple(block for block in blocks if block is not None)
        uses = [block for block in sendable if block["type"] == "tool_use"]
        return sendable if uses else ()

    def _whole(self, index: int) -> dict[str, Any] | None:
        block = self._started[index]
        kind = block.get("type")
        if kind not in _WHOLE:
            return None
        pieces = {name: "".join(rows) for name, rows in self._pieces.get(index, {}).items()}
        if kind == "tool_use":
            return _tool_use(block, pieces.get("partial_json", ""))
        if kind == "redacted_thinking":
            data = mend(_words(block, "data"))
            return {"type": kind, "data": data} if data else None
        text = mend(_words(block, kind) + pieces.get(kind, ""))
        if kind == "text":
            return {"type": "text", "text": text} if text.strip() else None
        signature = mend(_words(block, "signature") + pieces.get("signature", ""))
        return {"type": "thinking", "thinking": text, "signature": signature}


def _words(block: dict[str, Any], field: str) -> str:
    """Returns the text in a field of a block; empty where a server sent anything else."""
    value = block.get(field)
    return value if isinstance(value, str) else ""


def _tool_use(block: dict[str, Any], written: str) -> dict[str, Any] | None:
    use_id, name = block.get("id"), block.get("name")
    if not isinstance(use_id, str) or not isinstance(name, str) or not use_id or not name:
        return None
    return {
        "type": "tool_use",
        "id": mend(use_id),
        "name": mend(name),
        "input": _arguments(block, written),
    }


def _arguments(block: dict[str, Any], written: str) -> dict[str, Any]:
    """Parses the arguments; returns an empty object unless they are a sane JSON object."""
    try:
        data = mend(written) if written.strip() else orjson.dumps(mended(block.get("input")))
        value: dict[str, Any] = read_json(data, dict)
    except (JsonError, orjson.JSONEncodeError):
        return {}
    return value if len(orjson.dumps(value)) <= _LARGEST_ARGUMENTS else {}


BREAKPOINT = {"type": "ephemeral"}
STOP_REASONS: dict[str, FinishReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "tool_use": "tool_use",
}
CHUNK = "chunk"
"""The event for a piece of an answer in another form than that of the Messages API."""
COUNTS = {
    "input_tokens": "input_tokens",
    "cache_read_input_tokens": "cache_read_tokens",
    "cache_creation_input_tokens": "cache_write_tokens",
}
LONGEST_REMARK = 300
"""The maximum number of characters kept of a server's message about itself or about an end."""
_SIGNS_OF_LIFE = ("message_start", "content_block_delta", "ping", CHUNK)
MOST_TOKENS = 10**12
"""A larger token count is not believed (M11)."""


def body(request: Request, model: str, profile: ModelProfile) -> dict[str, Any]:
    """Returns the keyword arguments for the SDK. Claude gets effort and the API's own
    schema form; any other model gets sampling parameters, and the schema in words too, in
    case its server ignores it."""
    system = [part for part in request.parts if part.role == "system"]
    user = [part for part in request.parts if part.role == "user"]
    claude = is_claude(model)
    if request.schema is not None and not claude:
        user.append(PromptPart("user", schema_in_words(request.schema)))
    arguments: dict[str, Any] = {
        "model": model,
        "max_tokens": token_ceiling(request, profile),
        "messages": [{"role": "user", "content": _blocks(user, int(profile.cache))}],
        "output_config": _output_config(request, claude),
        **_tools(request),
    }
    if request.tools:
        arguments["messages"] += _turns(request)
        if profile.cache:
            arguments["messages"][-1]["content"][-1]["cache_control"] = dict(BREAKPOINT)
    if system:
        arguments["system"] = _blocks(system, 2 * profile.cache)
    sampling = {} if claude else sampling_of(request)
    if sampling:
        arguments["extra_body"] = sampling
    return {name: value for name, value in arguments.items() if value}


def _blocks(parts: list[PromptPart], breakpoints: int) -> list[dict[str, Any]]:
    """Returns one text block per part, with cache breakpoints on the last `breakpoints` stable
    parts (P17).

    The API allows four breakpoints. In the system part, which begins with the agent's own text, one
    precedes the last block, that of a storyline's people, and one follows it; in the material, one
    follows what the scenes of a chapter have in common; the last follows the look-ups.
    """
    filled_parts = [part for part in parts if part.text.strip()]
    blocks: list[dict[str, Any]] = [{"type": "text", "text": part.text} for part in filled_parts]
    stable = [index for index, part in enumerate(filled_parts) if part.stable]
    for index in stable[-breakpoints:] if breakpoints else ():
        blocks[index]["cache_control"] = dict(BREAKPOINT)
    return blocks


def _tools(request: Request) -> dict[str, Any]:
    """Returns the look-ups on offer. The API requires them as long as the messages contain one, so
    the last step lists and forbids them."""
    if not request.tools:
        return {}
    tools = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
        for tool in request.tools
    ]
    return {"tools": tools, **({"tool_choice": {"type": "none"}} if request.must_answer else {})}


def _turns(request: Request) -> list[dict[str, Any]]:
    """Returns the earlier steps as messages, each followed by the answers to its look-ups."""
    messages: list[dict[str, Any]] = []
    for turn in request.turns:
        messages.append({"role": "assistant", "content": list(turn.content)})
        answers = [
            {"type": "tool_result", "tool_use_id": use, "content": text}
            for use, text in turn.answers
        ]
        messages.append({"role": "user", "content": answers})
    return messages


def _output_config(request: Request, claude: bool) -> dict[str, Any]:
    config: dict[str, Any] = {"effort": request.effort} if claude else {}
    if request.schema is not None:
        schema = _strict(request.schema) if claude else request.schema
        config["format"] = {"type": "json_schema", "schema": schema}
    return config


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    from anthropic import transform_schema

    return transform_schema(schema)


def schema_in_words(schema: dict[str, Any]) -> str:
    """Returns a sentence that asks for an answer conforming to this schema."""
    return (
        "Answer with one JSON object and nothing else. It must fit this JSON Schema:\n"
        + orjson.dumps(schema).decode()
    )


def sampling_of(request: Request) -> dict[str, Any]:
    """Returns the sampling parameters that are set."""
    sampling = request.sampling
    values = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "repeat_penalty": sampling.repeat_penalty,
        "seed": sampling.seed,
    }
    return {name: value for name, value in values.items() if value is not None}


class StreamedAnswer:
    """Accumulates the events of one stream, accepting them in any order."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.began = False
        """Whether any event of the Messages API has arrived."""
        self.over = False
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._text_halves = SurrogateJoiner()
        self._reasoning_halves = SurrogateJoiner()
        self._counts: dict[str, int] = {}
        self._stop_reason: str | None = None
        self._detail = ""
        self._blocks = AnswerBlocks()

    @property
    def text(self) -> str:
        """The answer received so far."""
        return "".join(self._text)

    @property
    def usage(self) -> Usage:
        """Reported token usage; it includes the answer's tokens only once the
        endpoint has sent its final count."""
        return Usage(**self._counts)

    def take(self, event: dict[str, Any]) -> Iterator[AnswerDelta]:
        """Adds an event and yields the deltas to display; an empty delta is a sign of life."""
        kind = event.get("type")
        self.began = self.began or kind in _SIGNS_OF_LIFE
        if kind == "message_start":
            message = _table(event, "message")
            self.model = _remark(message, "model") or self.model
            self._count(_table(message, "usage"))
        elif kind == "message_delta":
            self._end(_table(event, "delta"), _table(event, "usage"))
        elif kind == "message_stop":
            self.over = True
        if kind in ("content_block_stop", "message_delta", "message_stop"):
            yield from self._flush_halves()
        self._blocks.take(event)
        yield self._delta(event)

    def reply(self) -> Reply:
        """Returns the finished reply. A stream without a stop reason was cut off (sdk-notes)."""
        finish: FinishReason = "cut"
        if self._stop_reason is not None:
            finish = STOP_REASONS.get(self._stop_reason, "other")
        return Reply(
            self.text,
            finish,
            self.model,
            self.usage,
            "".join(self._reasoning),
            self._detail,
            self._blocks.content if finish == "tool_use" else (),
            self._text_halves.replacements,
        )

    def _delta(self, event: dict[str, Any]) -> AnswerDelta:
        piece = _table(event, "delta") or _table(event, "content_block")
        text, thinking = piece.get("text"), piece.get("thinking")
        if isinstance(text, str) and text:
            return self._add_text(self._text_halves.take(text))
        if isinstance(thinking, str) and thinking:
            return self._add_reasoning(self._reasoning_halves.take(thinking))
        kind = event.get("type")
        usage = self.usage if kind == "message_start" else None
        return AnswerDelta("reasoning", "", usage, waits=kind in ("message_start", "ping"))

    def _flush_halves(self) -> Iterator[AnswerDelta]:
        if text := self._text_halves.end():
            yield self._add_text(text)
        if thinking := self._reasoning_halves.end():
            yield self._add_reasoning(thinking)

    def _add_text(self, text: str) -> AnswerDelta:
        self._text.append(text)
        return AnswerDelta("text", text)

    def _add_reasoning(self, text: str) -> AnswerDelta:
        self._reasoning.append(text)
        return AnswerDelta("reasoning", text)

    def _end(self, delta: dict[str, Any], usage: dict[str, Any]) -> None:
        if isinstance(delta.get("stop_reason"), str):
            self._stop_reason = delta["stop_reason"]
        details = _table(delta, "stop_details")
        self._detail = _remark(details, "explanation") or _remark(details, "category")
        self._count(usage)
        self._set_count("output_tokens", usage.get("output_tokens"))
        split = _table(usage, "output_tokens_details")
        self._set_count("thinking_tokens", split.get("thinking_tokens"))

    def _count(self, usage: dict[str, Any]) -> None:
        for theirs, ours in COUNTS.items():
            self._set_count(ours, usage.get(theirs))

    def _set_count(self, name: str, value: Any) -> None:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS:
            self._counts[name] = value


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _remark(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    return mend(value)[:LONGEST_REMARK] if isinstance(value, str) else ""
