"""The HTTP client under the vendor's: what it may carry along, follow and read."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from studio.llm.stream import Deadlines, is_loopback, is_vendor

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncAnthropic

CONNECT_SECONDS = 10.0
LARGEST_ERROR = 64_000
"""Bytes that are read of an error's body: its sentence is one line."""
LARGEST_PAGE = 4_000_000
"""Bytes that are read of what a server says of itself."""
ERROR_SECONDS = 5.0
"""An error whose body drips is known by its status."""
PLAIN = {"accept-encoding": "identity"}
"""Events of a few bytes gain nothing from packing, and what is not packed cannot swell."""


def vendor_client(api_key: str, base_url: str, deadlines: Deadlines) -> AsyncAnthropic:
    """The vendor's client for one address, which no variable of the shell changes.

    Any address but the vendor's own gets the key that belongs to it and
    nothing else: not the headers of ANTHROPIC_CUSTOM_HEADERS, which may carry
    a token of the vendor's, nor the trace of a telemetry (R14).
    """
    from anthropic import AsyncAnthropic

    own = {} if is_vendor(base_url) else {"x-api-key": api_key}
    client = AsyncAnthropic(
        api_key=api_key,
        base_url=base_url,
        max_retries=0,
        default_headers=own,
        open_telemetry=False,
        http_client=http_client(base_url, deadlines),
    )
    if not is_vendor(base_url):
        client._custom_headers = own  # the constructor has added the shell's
    return client


def http_client(base_url: str, deadlines: Deadlines) -> httpx2.AsyncClient:
    """No redirects, which would carry the key along; no proxy to this machine (M9)."""
    import httpx2
    from anthropic import DefaultAsyncHttpxClient

    timeout = httpx2.Timeout(max(deadlines.first_byte, deadlines.idle), connect=CONNECT_SECONDS)
    hooks = {"response": [shorten_error]}
    if is_loopback(base_url):
        return httpx2.AsyncClient(
            trust_env=False,
            follow_redirects=False,
            timeout=timeout,
            headers=PLAIN,
            event_hooks=hooks,
        )
    return DefaultAsyncHttpxClient(
        follow_redirects=False, timeout=timeout, headers=PLAIN, event_hooks=hooks
    )


class EndlessPage(Exception):
    """A page is longer than what a server says of itself may be."""


async def json_at(
    client: httpx2.AsyncClient, address: str, headers: Mapping[str, str]
) -> tuple[int, Any]:
    """The status of a page and the JSON in it, None for what is none or is packed.

    Raises EndlessPage for a longer page than may be; nothing behind that length is read (R6).
    """
    body = bytearray()
    async with client.stream("GET", address, headers=dict(headers)) as response:
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > LARGEST_PAGE:
                raise EndlessPage
    try:
        return response.status_code, json.loads(body)
    except (ValueError, RecursionError):
        return response.status_code, None


async def shorten_error(response: httpx2.Response) -> None:
    """Reads the beginning of an error's body in place of the SDK, which reads all of it.

    A packed body is not unpacked, so that it cannot swell; then the status alone speaks.
    """
    import httpx2

    if response.is_success:
        return
    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    body = bytearray()
    try:
        with suppress(httpx2.HTTPError, TimeoutError):
            async with asyncio.timeout(ERROR_SECONDS):
                async for piece in stream:
                    body += piece[: LARGEST_ERROR - len(body)]
                    if len(body) >= LARGEST_ERROR:
                        break
    finally:
        await stream.aclose()
    response.headers.pop("content-encoding", None)
    response.stream = httpx2.ByteStream(bytes(body))
