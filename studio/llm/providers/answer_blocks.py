"""Reassembles the blocks of a streamed answer, so that they can be sent back unchanged.

A model that asked for look-ups gets its own turn back as it was: words, look-ups and thinking with
its signature (Messages API).
"""

from __future__ import annotations

from typing import Any

import orjson

from studio.foreign_json import JsonError, read_json
from studio.llm.surrogates import mend, mended

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
