"""One answer of the fake model on the wire: the rule it follows and the events it becomes."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.fake_answers import from_schema, language_of, merged, prose


@dataclass(frozen=True)
class Rule:
    """How to answer the requests it matches; a rule without conditions matches all."""

    mode: str = "ok"
    """ok, status, redirect, html, blank_stream, cut, reset, eof, stall, trickle, error_event,
    bad_json, bad_utf8, out_of_order, duplicate_start, thinking_only, loop, hold, slow, split,
    step (each delta waits until the test lets it go)."""
    index: int | None = None
    """Only the request with this number, from 0."""
    contains: str = ""
    """Only requests whose body holds these words."""
    times: int | None = None
    """At most so often."""
    status: int = 529
    retry_after: str | None = None
    location: str = ""
    after: int = 3
    """Deltas before the fault."""
    delay: float = 0.05
    """Seconds between the bytes of a trickle."""
    text: str | None = None
    """The answer, word for word."""
    value: Any = None
    """Laid over the value made from the schema."""
    wrap: str = "{}"
    """Put around a structured answer: fences, prose, a second object."""
    echo: str = ""
    """A pattern searched in the prompt: its last group is the answer."""
    swap: tuple[tuple[str, str], ...] = ()
    """Replacements in the answer."""
    stop_reason: str | None = "end_turn"
    usage: Any = "honest"
    """The usage of the final event; None leaves it out."""
    error_type: str = "overloaded_error"
    language: str = ""
    number: float = 4.2
    items: int = 0
    paragraphs: int = 6
    uses: tuple[tuple[str, dict[str, Any]], ...] = ()
    """Look-ups it asks for instead of an answer, after `text` and a thought."""


@dataclass
class Asked:
    """One request as it arrived, and how far its answer has gone."""

    index: int
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    sent: int = 0
    allowed: int = 0
    """Deltas the test lets go, where the rule's mode is step."""
    over: bool = False

    @property
    def prompt(self) -> str:
        """All text of the prompt, in order."""
        return "\n\n".join(block["text"] for block in self.blocks)

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """System blocks, then those of the messages; what was looked up is in `results`."""
        blocks = list(_as_blocks(self.body.get("system")))
        for message in self.body.get("messages", ()):
            if message["role"] == "user":
                blocks += [b for b in _as_blocks(message["content"]) if b["type"] == "text"]
        return blocks

    @property
    def results(self) -> list[str]:
        """What the look-ups of the steps before brought, in order."""
        return [
            block["content"]
            for message in self.body.get("messages", ())
            for block in _as_blocks(message["content"])
            if block["type"] == "tool_result"
        ]

    @property
    def tools(self) -> list[str]:
        """The look-ups that may be asked for now."""
        if self.body.get("tool_choice") == {"type": "none"}:
            return []
        return [tool["name"] for tool in self.body.get("tools", ())]

    @property
    def schema(self) -> dict[str, Any] | None:
        """The schema of a structured call."""
        wanted = self.body.get("output_config", {}).get("format", {}).get("schema")
        return wanted if isinstance(wanted, dict) else None


def events(
    asked: Asked,
    rule: Rule,
    prompt_usage: Mapping[str, int],
    released: threading.Event,
    wait_step: Callable[[Asked], None],
) -> Iterator[bytes | None]:
    """The bytes of the stream, event by event; None cuts the connection."""
    if rule.mode == "blank_stream":
        return
    text = _text(asked, rule) if rule.text is not None or not rule.uses else ""
    start = {
        "id": f"msg_{asked.index}",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": [],
        "stop_reason": None,
        "usage": {**prompt_usage, "output_tokens": 1},
    }
    if rule.mode != "out_of_order":
        yield _event("message_start", message=start)
    if rule.mode == "duplicate_start":
        yield _event("message_start", message=start)
    yield _event("ping")
    if rule.uses:
        yield from _looking_up(asked, rule, text)
        return
    thinks = rule.mode == "thinking_only"
    block = {"type": "thinking", "thinking": ""} if thinks else {"type": "text", "text": ""}
    yield _event("content_block_start", index=0, content_block=block)
    for number, piece in enumerate(_pieces(text, rule)):
        if number == rule.after:
            yield from _fault(rule, released)
            if rule.mode in ("cut", "reset", "eof", "bad_json", "bad_utf8", "error_event"):
                return
        if rule.mode == "step":
            wait_step(asked)
        kind = "thinking" if thinks else "text"
        delta = {"type": f"{kind}_delta", kind: piece}
        yield _event("content_block_delta", index=0, delta=delta)
        asked.sent = number + 1
    yield _event("content_block_stop", index=0)
    yield from _end(rule, text)


def _looking_up(asked: Asked, rule: Rule, text: str) -> Iterator[bytes]:
    """A thought with its signature, words, and look-ups whose arguments come in pieces."""
    number = len(asked.results)
    thought = {"type": "thinking", "thinking": "", "signature": ""}
    yield _event("content_block_start", index=0, content_block=thought)
    thinking = {"type": "thinking_delta", "thinking": "I do not know yet."}
    yield _event("content_block_delta", index=0, delta=thinking)
    signature = {"type": "signature_delta", "signature": f"sig{number}"}
    yield _event("content_block_delta", index=0, delta=signature)
    yield _event("content_block_stop", index=0)
    yield _event("content_block_start", index=1, content_block={"type": "text", "text": ""})
    if text:
        delta = {"type": "text_delta", "text": text}
        yield _event("content_block_delta", index=1, delta=delta)
    yield _event("content_block_stop", index=1)
    for at, (name, args) in enumerate(rule.uses):
        use = {"type": "tool_use", "id": f"toolu_{number}_{at}", "name": name, "input": {}}
        yield _event("content_block_start", index=at + 2, content_block=use)
        written = json.dumps(args, ensure_ascii=False)
        for piece in (written[:5], written[5:]):
            delta = {"type": "input_json_delta", "partial_json": piece}
            yield _event("content_block_delta", index=at + 2, delta=delta)
        yield _event("content_block_stop", index=at + 2)
    yield from _end(replace(rule, stop_reason="tool_use"), text or "look")


def _fault(rule: Rule, released: threading.Event) -> Iterator[bytes | None]:
    if rule.mode in ("cut", "reset"):
        yield None
    elif rule.mode == "bad_json":
        yield b'event: content_block_delta\ndata: {"type": "content_blo\n\n'
    elif rule.mode == "bad_utf8":
        yield b'event: content_block_delta\ndata: {"type": "\xff\xfe"}\n\n'
    elif rule.mode == "error_event":
        yield _event("error", error={"type": rule.error_type, "message": "so it goes"})
    elif rule.mode in ("stall", "hold"):
        released.wait()


def _end(rule: Rule, text: str) -> Iterator[bytes]:
    delta: dict[str, Any] = {"stop_reason": rule.stop_reason, "stop_sequence": None}
    if rule.stop_reason == "refusal":
        delta["stop_details"] = {"type": "refusal", "category": "bio", "explanation": "No poisons"}
    usage = {"output_tokens": token_count(text)} if rule.usage == "honest" else rule.usage
    yield _event("message_delta", delta=delta, **({} if usage is None else {"usage": usage}))
    yield _event("message_stop")


def _text(asked: Asked, rule: Rule) -> str:
    if rule.text is not None:
        return rule.text
    if asked.schema is not None:
        value = from_schema(asked.schema, number=rule.number, items=rule.items)
        whole = value if rule.value is None else merged(value, rule.value)
        return rule.wrap.replace("{}", json.dumps(whole, ensure_ascii=False), 1)
    if rule.echo:
        match = re.search(rule.echo, asked.prompt, re.DOTALL)
        text = match.groups()[-1] if match else "Nothing was found."
    else:
        language = rule.language or language_of(asked.prompt)
        text = prose(language, asked.index, rule.paragraphs)
    for old, new in rule.swap:
        text = text.replace(old, new)
    return text


def _pieces(text: str, rule: Rule) -> Iterator[str]:
    if rule.mode == "loop":
        while True:
            yield "lamp "
    for at in range(0, len(text), 24):
        yield text[at : at + 24]


def _event(kind: str, **fields: Any) -> bytes:
    data = json.dumps({"type": kind, **fields}, ensure_ascii=False)
    if re.search("[\ud800-\udfff]", data):  # half a character can only be sent as an escape
        data = json.dumps({"type": kind, **fields})
    return f"event: {kind}\ndata: {data}\n\n".encode()


def _as_blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content or ())


def token_count(text: str) -> int:
    return max(1, len(text.encode(errors="replace")) // 4)
