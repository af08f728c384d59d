"""The overhead of the path to a model (P16): the time per token through HTTP, the SDK and our
client, and additionally through the events, the run's state and the view on a terminal, against the
same model called in this process.

One small model answers on all paths, so only the path differs. It may not end an answer before the
requested length: every path is measured over all tokens of its row.
"""

from __future__ import annotations

import asyncio
import secrets
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.model_calls import KEY, TASK, TEMPERATURE, each, streamed
from bench.rounds import Row
from bench.terminal import measured
from studio.llm.providers.embedded import (
    PROMPT_STEP,
    SILENT,
    find_bundled_model,
    is_available,
    thread_count,
)

LENGTHS = (160, 1000)
ROUNDS = 5
_WINDOW = 4096


def rows() -> list[Row]:
    """Returns two rows per answer length: without the view, and with it."""
    file = find_bundled_model()
    if file is None or not is_available():
        print("The small model is not installed; `dev.py try` brings it.", file=sys.stderr)
        return []
    key = secrets.token_urlsafe(16)
    server = _server(file, key)
    return [row for length in LENGTHS for row in _pair(server, key, length)]


def _server(file: Path, key: str) -> Any:
    """Starts the library's own server, which also answers calls in this process."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.n_ctx = _WINDOW
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = PROMPT_STEP
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = thread_count()
    params.sampling.ignore_eos = True
    params.verbosity = SILENT
    params.api_keys = [key]
    return xllamacpp.Server(params)


def _pair(server: Any, key: str, length: int) -> Iterator[Row]:
    """Yields the seconds per token of all paths in turn; the first turn
    fills caches and is discarded."""
    ways: dict[str, Callable[[int], float]] = {
        "in this process": lambda turn: _direct(server, length, turn),
        "HTTP, the SDK and our client": lambda turn: _through(server, key, length, turn),
        "all of these and the view": lambda turn: _in_view(server, key, length, turn),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(ROUNDS + 1):
        for name, way in ways.items():
            seconds = way(turn)
            if turn:
                times[name].append(seconds)
    middle = {name: statistics.median(seconds) for name, seconds in times.items()}
    speeds = ", ".join(f"{name} {1 / seconds:.0f}/s" for name, seconds in middle.items())
    print(f"  {length} tokens: {speeds}", file=sys.stderr)
    usual = middle.pop("in this process")
    for name, seconds in middle.items():
        what = f"P16: a token of {length} through {name}"
        yield Row(what, seconds, usual, "the model in this process", 1 / 0.9)


def _direct(server: Any, length: int, seed: int) -> float:
    """Returns the seconds per token in this process."""
    times: list[float] = []
    counted = [0]

    def hear(chunk: dict[str, Any]) -> bool:
        if chunk.get("usage"):
            counted[0] = int(chunk["usage"]["completion_tokens"])
        if any(choice.get("delta", {}).get("content") for choice in chunk.get("choices", ())):
            times.append(time.perf_counter())
        return False

    body = {
        "messages": [{"role": "user", "content": TASK}],
        "max_tokens": length,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": TEMPERATURE,
        "seed": seed,
    }
    server.handle_chat_completions(body, hear)
    return each(times, counted[0], length)


def _through(server: Any, key: str, length: int, seed: int) -> float:
    """Returns the seconds per token through the provider used for Claude."""
    times: list[float] = []

    def listen(piece: str) -> None:
        times.append(time.perf_counter())

    address = server.listening_address
    return each(times, asyncio.run(streamed(address, key, length, seed, listen)), length)


def _in_view(server: Any, key: str, length: int, seed: int) -> float:
    """Returns the seconds per token in an app on a pseudo-terminal, up to the last paint."""
    arguments = (server.listening_address, str(length), str(seed))
    result = measured("bench.model_screen", *arguments, environ={KEY: key})
    if result["failure"]:
        raise RuntimeError(result["failure"])
    return float(result["each"])
