"""GGUF files made for tests: a header like that of a real model, and no weights."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

TEMPLATE = "{% for message in messages %}<|im_start|>{{ message['content'] }}{% endfor %}"
_KINDS = {bool: (7, "?"), float: (6, "f")}


def gguf(parameters: int, values: dict[str, Any] | None = None, order: str = "<") -> bytes:
    """The header of a model of this size; `values` replace those of a usual one, None removes."""
    usual = {
        "general.architecture": "llama",
        "general.languages": ["en", "ko", "zh"],
        "llama.context_length": 131_072,
        "llama.block_count": 32,
        "llama.embedding_length": 4096,
        "llama.attention.head_count": 32,
        "llama.attention.head_count_kv": 8,
        "tokenizer.ggml.tokens": [f"token{number}" for number in range(2000)],
        "tokenizer.ggml.token_type": list(range(2000)),
        "tokenizer.chat_template": TEMPLATE,
    }
    present = {k: v for k, v in {**usual, **(values or {})}.items() if v is not None}
    data = b"GGUF" + struct.pack(f"{order}IQQ", 3, 2, len(present))
    for key, value in present.items():
        data += text(key, order) + tagged(value, order)
    for name, elements in [("token_embd.weight", parameters // 2), ("output.weight", 0)]:
        rest = elements or parameters - parameters // 2
        data += text(name, order) + struct.pack(f"{order}IQQIQ", 2, rest, 1, 2, 0)
    return data


def save(path: Path, data: bytes, size: int) -> Path:
    """Writes a header into a file of this size; the rest is a hole that takes no room."""
    path.write_bytes(data)
    os.truncate(path, max(size, len(data)))
    return path


def text(words: str, order: str = "<") -> bytes:
    return struct.pack(f"{order}Q", len(words.encode())) + words.encode()


def tagged(value: Any, order: str) -> bytes:
    """A value with its kind before it."""
    kind, data = _packed(value, order)
    return struct.pack(f"{order}I", kind) + data


def _packed(value: Any, order: str) -> tuple[int, bytes]:
    if isinstance(value, str):
        return 8, text(value, order)
    if isinstance(value, list):
        items = [_packed(one, order) for one in value]
        kind = items[0][0] if items else 4
        head = struct.pack(f"{order}IQ", kind, len(items))
        return 9, head + b"".join(data for _, data in items)
    if type(value) in _KINDS:
        kind, form = _KINDS[type(value)]
        return kind, struct.pack(f"{order}{form}", value)
    return (
        (4, struct.pack(f"{order}I", value))
        if value < 2**32
        else (
            10,
            struct.pack(f"{order}Q", value),
        )
    )
