"""The blocks of a streamed answer put together again, to be sent back as they came.

A model that looked something up gets its own turn back unchanged: words, look-ups
and thinking with its signature (Messages API).
"""

from __future__ import annotations

from typing import Any

import orjson

from studio.llm.surrogates import mend

_PIECES = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}
"""Kind of delta to the field that holds its piece."""
_WHOLE = ("redacted_thinking", "text", "thinking", "tool_use")
"""Kinds of blocks that can be sent back."""
_LARGEST_ARGUMENTS = 20_000
"""Bytes; a look-up takes a name or a few words."""


class AnswerBlocks:
    """Takes the events of one answer, in any order and from any server."""

    def __init__(self) -> None:
        self._started: dict[int, dict[str, Any]] = {}
        self._pieces: dict[int, dict[str, list[str]]] = {}

    def take(self, event: dict[str, Any]) -> None:
        """Adds what an event brings to its block."""
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
        """The blocks; none where no look-up among them can be told from the rest."""
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
            return dict(block)
        text = mend(str(block.get(kind) or "") + pieces.get(kind, ""))
        if kind == "text":
            return {"type": "text", "text": text} if text.strip() else None
        signature = str(block.get("signature") or "") + pieces.get("signature", "")
        return {"type": "thinking", "thinking": text, "signature": signature}


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
    """The arguments as they were written; none where they are no JSON object, or no sane one."""
    try:
        value = orjson.loads(mend(written)) if written.strip() else block.get("input")
        short = len(orjson.dumps(value)) <= _LARGEST_ARGUMENTS
    except (orjson.JSONDecodeError, TypeError):
        return {}
    return value if short and isinstance(value, dict) else {}
