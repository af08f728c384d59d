"""Two equal keys in one JSON object: a reader keeps the last and says nothing, we name both."""

from __future__ import annotations

import re
from typing import Any

import orjson

from studio.errors import damaged
from studio.story.document import encode

_TOKENS = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]', re.DOTALL)


def refuse_doubled(data: bytes, value: Any, source: str) -> None:
    """StudioError (exit 5) with key and lines if an object in `data`, which was read as `value`,
    has a key twice. A file in the form we write cannot, and is not searched."""
    if encode(value) == data:
        return
    found = _first_doubled(data)
    if found is not None:
        key, first, second = found
        where = f"in line {first}" if first == second else f"in lines {first} and {second}"
        raise damaged(
            f'{source} has the key "{key}" twice, {where}.',
            "Nobody can know which one was meant: take one of the two out.",
        )


def _first_doubled(data: bytes) -> tuple[str, int, int] | None:
    """The key and the lines of both; `data` is valid JSON, so a brace outside of strings is one."""
    objects: list[dict[str, int]] = []
    for token in _TOKENS.finditer(data):
        if token[0] == b"{":
            objects.append({})
        elif token[0] == b"}":
            objects.pop()
        elif token[2] is not None:
            key, at = str(orjson.loads(token[1])), token.start()
            if key in objects[-1]:
                return key, _line(data, objects[-1][key]), _line(data, at)
            objects[-1][key] = at
    return None


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
