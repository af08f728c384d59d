"""Asks a server for the context window of its models (BOOK 6).

The place differs: llama.cpp states it for the running model, vLLM and routers in their list of
models, Ollama for the loaded models. The context length that a model was trained on says nothing
about the window it runs with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from studio.llm.provider import WINDOWS
from studio.llm.providers.http import EndlessPage, http_client, json_at
from studio.llm.stream import Deadlines

_SECONDS = 5.0
"""The timeout in seconds for all places together."""
_LISTS = ("{models}", "{root}/api/v0/models", "{root}/api/ps")
IN_FORCE = (
    "max_model_len",
    "loaded_context_length",
    "n_ctx",
    "max_input_tokens",
    "context_length",
    "context_window",
)


async def stated_window(
    models_address: str, base_url: str, headers: Mapping[str, str], models: Iterable[str]
) -> int | None:
    """Returns the window in tokens, prompt and answer together, of each of `models`; None where it
    is not stated for all of them or the server does not answer."""
    import httpx2

    names = set(models)
    root = base_url.rstrip("/").removesuffix("/v1")
    client = await asyncio.to_thread(http_client, base_url, Deadlines(_SECONDS, _SECONDS, _SECONDS))
    try:
        async with client, asyncio.timeout(_SECONDS):
            for place in _LISTS:
                address = place.format(models=models_address, root=root)
                windows = _listed(await _body_at(client, address, headers), names)
                if names and windows.keys() == names:
                    return min(windows.values())
            return _running(await _body_at(client, f"{root}/props", headers))
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, TimeoutError):
        return None


async def _body_at(client: Any, address: str, headers: Mapping[str, str]) -> Any:
    try:
        status, body = await json_at(client, address, headers)
    except EndlessPage:
        return None
    return body if 200 <= status < 300 else None


def _listed(body: Any, names: set[str]) -> dict[str, int]:
    """Returns the windows of the listed models whose names are in `names`."""
    rows = (body.get("data") or body.get("models")) if isinstance(body, dict) else None
    windows: dict[str, int] = {}
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, dict):
            continue
        window = window_of(row)
        for name in (row.get("id"), row.get("model"), row.get("name")):
            if window is not None and isinstance(name, str) and name in names:
                windows.setdefault(name, window)
    return windows


def window_of(row: Mapping[str, Any], keys: Iterable[str] = IN_FORCE) -> int | None:
    """Returns the first of these keys that a model's row contains, directly or in its `meta`."""
    meta = row.get("meta")
    places = (row, meta if isinstance(meta, dict) else {})
    return next((n for place in places for key in keys if (n := _size(place.get(key)))), None)


def _running(body: Any) -> int | None:
    """Returns the window of the one model that a llama.cpp server runs."""
    settings = body.get("default_generation_settings") if isinstance(body, dict) else None
    return _size(settings.get("n_ctx")) if isinstance(settings, dict) else None


def _size(value: Any) -> int | None:
    return value if type(value) is int and value in WINDOWS else None
