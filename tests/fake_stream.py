"""One answer of the fake model on the wire: the rule for it and the events that it consists of."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.fake_answers import from_schema, language_of, merged, prose

PIECE = 24
"""The characters of a delta."""
TOKEN = 4
"""The characters of a token, as `token_count` counts them: at a pace, a server sends each alone."""


@dataclass(frozen=True)
class Rule:
    """How to answer matching requests; a rule without conditions matches all of them."""

    mode: str = "ok"
    """One of ok, status, redirect, html, blank_stream, cut, reset, eof, stall, trickle,
    error_event, bad_json, bad_utf8, out_of_order, duplicate_start, thinking_only, loop, hold, slow,
    split, paced (the deltas come at `pace`), or step (each delta waits until the test releases
    it)."""
    index: int | None = None
    """Matches only the request with this number, from 0."""
    contains: str = ""
    """Matches only requests whose body contains this text."""
    times: int | None = None
    """The greatest number of requests that the rule answers."""
    status: int = 529
    retry_after: str | None = None
    location: str = ""
    after: int = 3
    """The number of deltas before the fault."""
    delay: float = 0.05
    """The number of seconds between the bytes of a trickle."""
    pace: tuple[float, float] = (0.0, 0.0)
    """The seconds to the first delta, and from there to the last."""
    text: str | None = None
    """The exact text of the answer."""
    value: Any = None
    """A value merged into the one generated from the schema."""
    wrap: str = "{}"
    """The text around a structured answer: fences, prose, a second object."""
    echo: str = ""
    """A pattern searched for in the prompt; its last group is the answer."""
    swap: tuple[tuple[str, str], ...] = ()
    """Replacements in the answer."""
    stop_reason: str | None = "end_turn"
    usage: Any = "honest"
    """The usage in the final event; None omits it."""
    error_type: str = "overloaded_error"
    language: str = ""
    number: float = 4.2
    items: int = 0
    paragraphs: int = 6
    uses: tuple[tuple[str, dict[str, Any]], ...] = ()
    """The tools called instead of answering, after `text` and a thought."""
    blocks: tuple[str, ...] = ()
    """Blocks after these tools, each the JSON of a block as it is written on the wire."""
    head: str = ""
    """Text before the first event."""


@dataclass
class Asked:
    """A request as it arrived, and the progress of its answer."""

    index: int
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    sent: int = 0
    allowed: int = 0
    """The number of deltas that the test has released, if the rule's mode is `step`."""
    over: bool = False

    @property
    def prompt(self) -> str:
        """All text of the prompt, in order."""
        return "\n\n".join(block["text"] for block in self.blocks)

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """The system blocks, then the text blocks of the messages; tool results are in
        `results`."""
        blocks = list(_as_blocks(self.body.get("system")))
        for message in self.body.get("messages", ()):
            if message["role"] == "user":
                blocks += [b for b in _as_blocks(message["content"]) if b["type"] == "text"]
        return blocks

    @property
    def results(self) -> list[str]:
        """The tool results of earlier steps, in order."""
        return [
            block["content"]
            for message in self.body.get("messages", ())
            for block in _as_blocks(message["content"])
            if block["type"] == "tool_result"
        ]

    @property
    def tools(self) -> list[str]:
        """The tools that may be called now."""
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
    """Yields the bytes of the stream, event by event; None cuts the connection."""
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
    if rule.head:
        yield rule.head.encode()
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
    for number, piece in enumerate(pieces(text, rule)):
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


def answer_tokens(asked: Asked, rule: Rule) -> int:
    """Returns the tokens of the whole answer of a rule."""
    return token_count(_text(asked, rule)) if rule.text is not None or not rule.uses else 0


def _looking_up(asked: Asked, rule: Rule, text: str) -> Iterator[bytes]:
    """Yields a signed thought, text, and tool calls whose arguments arrive in pieces."""
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
    for at, block in enumerate(rule.blocks, 2 + len(rule.uses)):
        head = f'{{"type": "content_block_start", "index": {at}, "content_block": {block}}}'
        yield f"event: content_block_start\ndata: {head}\n\n".encode()
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


def pieces(text: str, rule: Rule) -> Iterator[str]:
    if rule.mode == "loop":
        while True:
            yield "lamp "
    begun, (first, rest) = time.monotonic(), rule.pace
    piece = TOKEN if rule.mode == "paced" else PIECE
    for at in range(0, len(text), piece):
        if rule.mode == "paced":
            due = begun + first + rest * at / max(1, len(text) - piece)
            time.sleep(max(0.0, due - time.monotonic()))
        yield text[at : at + piece]


def _event(kind: str, **fields: Any) -> bytes:
    data = json.dumps({"type": kind, **fields}, ensure_ascii=False)
    if re.search("[\ud800-\udfff]", data):  # a lone surrogate can be sent only as an escape
        data = json.dumps({"type": kind, **fields})
    return f"event: {kind}\ndata: {data}\n\n".encode()


def _as_blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content or ())


def token_count(text: str) -> int:
    return max(1, len(text.encode(errors="replace")) // 4)
