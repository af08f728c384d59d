"""Retrieves a server's list of models with one small call."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from shlex import quote
from typing import Any

from studio.llm.errors import ModelError
from studio.llm.providers.http import EndlessPage, http_client, json_at
from studio.llm.providers.messages import Answer
from studio.llm.providers.windows import IN_FORCE, window_of
from studio.llm.providers.wire_errors import from_exception, from_status
from studio.llm.stream import Deadlines
from studio.llm.surrogates import mend
from studio.messages import said, series

LEAST_WINDOW = 8_000
"""The smallest usable window in tokens: a scene with its context needs this many."""
_STATED = (*IN_FORCE, "max_context_length", "n_ctx_train")
"""Keys that state a window: the window in force first, then the model's maximum."""
_MOST = 500
_LONGEST_ID = 200
_SECONDS = 10.0


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

    client = await asyncio.to_thread(http_client, base_url, Deadlines(_SECONDS, _SECONDS, _SECONDS))
    try:
        async with client, asyncio.timeout(_SECONDS):
            status, body = await json_at(client, address, headers)
            if not 200 <= status < 300:
                raise from_status(status, body, None)
            if body is None:
                raise ModelError("protocol", said("what it lists as its models is not JSON"))
            return models_in(body)
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise from_exception(error, base_url, Answer("")) from error
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
