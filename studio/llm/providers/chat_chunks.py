"""Translates a stream of the chat completions API into equivalent events of the Messages API.

A chunk names a look-up's id and name once and brings its arguments in pieces (OpenAI, vLLM), or all
at once and without an id (Ollama, llama.cpp in some versions); either form becomes a separate
block, which can be sent back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from studio.llm.provider import FinishReason

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
        events: list[dict[str, Any]] = [{"type": "ping"}, *self._words(delta)]
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
