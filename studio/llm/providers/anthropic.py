"""Reaches Claude, or any server that speaks the Messages API, through the official SDK.

Key and address are always passed to the SDK explicitly, so that a stray shell variable cannot send
a real key to another host. Importing the SDK takes more than a second, so a thread does it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from studio.config.endpoints import VENDOR_URL
from studio.config.schema import Role
from studio.llm.keys import Key
from studio.llm.provider import Listen, ModelProfile, Reply, Request
from studio.llm.providers.event_stream import stream_events
from studio.llm.providers.messages import StreamedAnswer, body
from studio.llm.providers.profiles import profile_for
from studio.llm.providers.server_models import (
    ModelServer,
    with_models_named,
)
from studio.llm.providers.wire_errors import (
    from_event,
    from_exception,
    not_a_messages_server,
    wire_failures,
)
from studio.llm.stream import Deadlines, deadlines_for

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncAnthropic

NO_KEY = "no-key"
"""A placeholder key: local servers require a token but do not read it."""


def warm_up() -> None:
    """Imports the SDK; call this in a thread after the first screen is drawn (bench/README.md)."""
    import anthropic
    import anthropic.resources.messages  # noqa: F401


class AnthropicProvider(ModelServer):
    """The Messages API at one address, with one model id per role."""

    def __init__(
        self,
        api_key: Key | str | None,
        models: Mapping[Role, str],
        *,
        base_url: str | None = None,
        profile: ModelProfile | None = None,
        deadlines: Deadlines | None = None,
    ) -> None:
        address = (base_url or VENDOR_URL).rstrip("/").removesuffix("/v1")
        super().__init__(
            api_key if isinstance(api_key, Key) else Key(api_key or NO_KEY),
            models,
            address,
            profile or profile_for(models),
            deadlines or deadlines_for(address),
        )
        self._client: AsyncAnthropic | None = None

    async def stream(self, request: Request, listen: Listen) -> Reply:
        """Makes one attempt; cancellation closes the connection. ModelError has partial text."""
        model = self.model_for(request.role)
        answer = StreamedAnswer(model)
        client = await self._connect()
        import anthropic

        with wire_failures(self._key, self._base_url, answer, anthropic.AnthropicError):
            try:
                await self._receive(client, body(request, model, self._profile), answer, listen)
            except anthropic.NotFoundError as error:
                failure = from_exception(error, self._base_url, answer)
                raise await with_models_named(failure, model, *self._list_of_models()) from error
        return answer.reply()

    def _list_of_models(self) -> tuple[str, str, dict[str, str]]:
        headers = {"x-api-key": self._key.known, "anthropic-version": "2023-06-01"}
        return f"{self._base_url}/v1/models?limit=100", self._base_url, headers

    async def close(self) -> None:
        """Closes the provider's connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _receive(
        self,
        client: AsyncAnthropic,
        arguments: dict[str, Any],
        answer: StreamedAnswer,
        listen: Listen,
    ) -> None:
        async with await client.messages.create(**arguments, stream=True) as stream:
            async with (
                aclosing(stream.response.aiter_bytes()) as pieces,
                aclosing(stream_events(pieces)) as events,
            ):
                async for stream_event in events:
                    event = stream_event.value
                    if event is None:
                        continue
                    if "error" in (stream_event.name, event.get("type")):
                        raise from_event(event, answer)
                    for delta in answer.take(event):
                        listen(delta)
                    if answer.over:
                        break
            if not answer.began:
                self._refuse_a_page(stream.response)

    def _refuse_a_page(self, response: httpx2.Response) -> None:
        content_type = response.headers.get("content-type", "")
        if "event-stream" not in content_type:
            raise not_a_messages_server(self._base_url, content_type)

    async def _connect(self) -> AsyncAnthropic:
        if self._client is None:
            self._client = await asyncio.to_thread(self._make_client)
        return self._client

    def _make_client(self) -> AsyncAnthropic:
        warm_up()
        import httpx2

        from studio.llm.providers.http import vendor_client

        try:
            return vendor_client(self._key.reveal(), self._base_url, self._deadlines)
        except (ValueError, TypeError, httpx2.InvalidURL) as error:
            raise from_exception(error, self._base_url, StreamedAnswer("")) from error
