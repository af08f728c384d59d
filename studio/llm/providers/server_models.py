"""Asks a server which models it has, with one small call, and for the context window of each (BOOK
6).

The place of the window differs: llama.cpp states it for the running model, vLLM and routers in
their list of models, Ollama for the loaded models. The context length that a model was trained on
says nothing about the window it runs with.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from shlex import quote
from typing import Any

from studio.config.schema import Role
from studio.llm.errors import ModelError
from studio.llm.keys import Key
from studio.llm.provider import WINDOWS, ModelProfile, high_estimate
from studio.llm.providers.http import EndlessPage, http_client, json_at
from studio.llm.providers.messages import StreamedAnswer
from studio.llm.providers.wire_errors import from_exception, from_status
from studio.llm.stream import Deadlines
from studio.llm.surrogates import mend
from studio.messages import said, series

_SECONDS_FOR_A_WINDOW = 5.0
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
    try:
        client = await asyncio.to_thread(
            http_client,
            base_url,
            Deadlines(_SECONDS_FOR_A_WINDOW, _SECONDS_FOR_A_WINDOW, _SECONDS_FOR_A_WINDOW),
        )
        async with client, asyncio.timeout(_SECONDS_FOR_A_WINDOW):
            for place in _LISTS:
                address = place.format(models=models_address, root=root)
                windows = _windows_listed(await _body_at(client, address, headers), names)
                if names and windows.keys() == names:
                    return min(windows.values())
            return _window_of_running_model(await _body_at(client, f"{root}/props", headers))
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, TimeoutError, ModelError):
        return None


async def _body_at(client: Any, address: str, headers: Mapping[str, str]) -> Any:
    try:
        status, body = await json_at(client, address, headers)
    except EndlessPage:
        return None
    return body if 200 <= status < 300 else None


def _windows_listed(body: Any, names: set[str]) -> dict[str, int]:
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


def _window_of_running_model(body: Any) -> int | None:
    """Returns the window of the one model that a llama.cpp server runs."""
    settings = body.get("default_generation_settings") if isinstance(body, dict) else None
    return _size(settings.get("n_ctx")) if isinstance(settings, dict) else None


def _size(value: Any) -> int | None:
    return value if type(value) is int and value in WINDOWS else None


LEAST_WINDOW = 8_000
"""The smallest usable window in tokens: a scene with its context needs this many."""
_STATED = (*IN_FORCE, "max_context_length", "n_ctx_train")
"""Keys that state a window: the window in force first, then the model's maximum."""
_MOST = 500
_LONGEST_ID = 200
_SECONDS_FOR_THE_LIST = 10.0


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model as its server lists it."""

    id: str
    window: int | None = None
    """Tokens of prompt and answer together; None where the server does not report them."""

    @property
    def fits(self) -> bool | None:
        """Whether the model's window can hold a scene; None where the window is unknown."""
        return None if self.window is None else self.window >= LEAST_WINDOW


async def list_models(
    address: str, base_url: str, headers: Mapping[str, str]
) -> tuple[ListedModel, ...]:
    """Returns the models listed at `address`, a full URL; ModelError where there is no list."""
    import httpx2

    client = await asyncio.to_thread(
        http_client,
        base_url,
        Deadlines(_SECONDS_FOR_THE_LIST, _SECONDS_FOR_THE_LIST, _SECONDS_FOR_THE_LIST),
    )
    try:
        async with client, asyncio.timeout(_SECONDS_FOR_THE_LIST):
            status, body = await json_at(client, address, headers)
            if not 200 <= status < 300:
                raise from_status(status, body, None)
            if body is None:
                raise ModelError("protocol", said("what it lists as its models is not JSON"))
            return models_in(body)
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise from_exception(error, base_url, StreamedAnswer("")) from error
    except EndlessPage as error:
        raise ModelError("protocol", said("its list of models does not end")) from error
    except TimeoutError as error:
        raise ModelError("timeout", said("it did not list its models")) from error


async def with_models_named(
    error: ModelError, model: str, address: str, base_url: str, headers: Mapping[str, str]
) -> ModelError:
    """Extends the error for a model unknown to the server with the models it does offer."""
    try:
        names = [listed.id for listed in await list_models(address, base_url, headers)]
    except ModelError:
        return error
    if not names or model in names:
        return error
    some = series(names[:8]) + (", ..." if len(names) > 8 else "")
    return ModelError(
        "not_found",
        error.detail,
        usage=error.usage,
        hint=said(
            "It does not have {model}; it has: {some}. `studio config set models.deep {names} "
            "--user` chooses one (also models.standard, models.fast); `studio models` lists them.",
            model=model,
            some=some,
            names=quote(names[0]),
        ),
    )


def models_in(body: Any) -> tuple[ListedModel, ...]:
    """Parses a list of models in the form of either API; entries that
    are not models are skipped."""
    rows = body.get("data") or body.get("models") if isinstance(body, dict) else None
    listed: dict[str, ListedModel] = {}
    for row in rows[:_MOST] if isinstance(rows, list) else ():
        name = (row.get("id") or row.get("name")) if isinstance(row, dict) else None
        if isinstance(name, str) and 0 < len(name) <= _LONGEST_ID:
            listed.setdefault(mend(name), ListedModel(mend(name), window_of(row, _STATED)))
    return tuple(listed.values())


class ModelServer(ABC):
    """A server at one address, with one model id per role, whatever API it speaks."""

    def __init__(
        self,
        key: Key,
        models: Mapping[Role, str],
        base_url: str,
        profile: ModelProfile,
        deadlines: Deadlines,
    ) -> None:
        self._key = key
        self._base_url = base_url
        self._models = dict(models)
        self._profile = profile
        self._deadlines = deadlines

    @property
    def profile(self) -> ModelProfile:
        """The capabilities that all of its models share."""
        return self._profile

    def model_for(self, role: Role) -> str:
        """Returns the model id used for a role."""
        return self._models[role]

    def estimate_tokens(self, text: str) -> int:
        """Returns a cheap token estimate on the high side."""
        return high_estimate(text)

    async def list_models(self) -> tuple[ListedModel, ...]:
        """Returns the models the server offers; raises ModelError where it has no list."""
        await asyncio.to_thread(self._key.reveal)
        return await list_models(*self._list_of_models())

    async def stated_window(self) -> int | None:
        """Returns the context window in tokens that the server reports, or None."""
        await asyncio.to_thread(self._key.reveal)
        return await stated_window(*self._list_of_models(), self._models.values())

    @abstractmethod
    def _list_of_models(self) -> tuple[str, str, dict[str, str]]:
        """Returns the URL of the model list, the server's base URL, and the headers to send."""
