"""What our way to a model costs (P16): tokens a second through HTTP, the SDK and our client,
against the same model called in this process.

One small model answers both sides, so what differs is the way alone; the view on a terminal is
not part of it. Both sides count the tokens they were sent, for an answer may end early.
"""

from __future__ import annotations

import asyncio
import secrets
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from bench.rounds import Row
from studio.llm.provider import Delta, Part, Request, Role, Sampling
from studio.llm.providers.anthropic import AnthropicProvider
from studio.llm.providers.embedded import (
    PROMPT_STEP,
    SILENT,
    find_bundled_model,
    is_available,
    thread_count,
)
from studio.llm.providers.profiles import UNKNOWN

LENGTHS = (160, 1000)
ROUNDS = 5
_WINDOW = 4096
_TASK = "Tell the whole story of a lighthouse keeper's winter, day by day, at great length."
_MODEL = "small"


def rows() -> list[Row]:
    """A row for each length of answer."""
    file = find_bundled_model()
    if file is None or not is_available():
        print("The small model is not installed; `dev.py try` brings it.", file=sys.stderr)
        return []
    key = secrets.token_urlsafe(16)
    server = _server(file, key)
    return [_row(server, key, length) for length in LENGTHS]


def _server(file: Path, key: str) -> Any:
    """The library's own server, which also answers calls in this process."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.n_ctx = _WINDOW
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = PROMPT_STEP
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = thread_count()
    params.verbosity = SILENT
    params.api_keys = [key]
    return xllamacpp.Server(params)


def _row(server: Any, key: str, length: int) -> Row:
    """Seconds a token, both ways in turn; the first turn fills caches and does not count."""
    here: list[float] = []
    through: list[float] = []
    for turn in range(ROUNDS + 1):
        pair = _direct(server, length, turn), asyncio.run(_through(server, key, length, turn))
        if turn:
            here.append(pair[0])
            through.append(pair[1])
    usual, ours = statistics.median(here), statistics.median(through)
    print(f"  {length} tokens: {1 / ours:.0f}/s, here {1 / usual:.0f}/s", file=sys.stderr)
    what = f"P16: a token of {length} through HTTP, the SDK and our client"
    return Row(what, ours, usual, "the model in this process", 1 / 0.9)


def _direct(server: Any, length: int, seed: int) -> float:
    """Seconds a token in this process."""
    times: list[float] = []
    counted = [0]

    def hear(chunk: dict[str, Any]) -> bool:
        if chunk.get("usage"):
            counted[0] = int(chunk["usage"]["completion_tokens"])
        if any(choice.get("delta", {}).get("content") for choice in chunk.get("choices", ())):
            times.append(time.perf_counter())
        return False

    body = {
        "messages": [{"role": "user", "content": _TASK}],
        "max_tokens": length,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.8,
        "seed": seed,
    }
    server.handle_chat_completions(body, hear)
    return _each(times, counted[0])


async def _through(server: Any, key: str, length: int, seed: int) -> float:
    """Seconds a token through the provider that Claude is asked with."""
    times: list[float] = []

    def listen(delta: Delta) -> None:
        if delta.kind == "text" and delta.text:
            times.append(time.perf_counter())

    models: dict[Role, str] = {"deep": _MODEL, "standard": _MODEL, "fast": _MODEL}
    provider = AnthropicProvider(key, models, base_url=server.listening_address, profile=UNKNOWN)
    sampling = Sampling(temperature=0.8, seed=seed)
    parts = (Part("user", _TASK),)
    request = Request(
        "bench", "draft", "scene-drafter", "deep", parts, max_tokens=length, sampling=sampling
    )
    try:
        reply = await provider.stream(request, listen)
    finally:
        await provider.close()
    return _each(times, reply.usage.output_tokens or 0)


def _each(times: list[float], tokens: int) -> float:
    """Seconds from one token to the next, in the mean; several may come in one piece."""
    return (times[-1] - times[0]) / max(1, tokens - 1)
