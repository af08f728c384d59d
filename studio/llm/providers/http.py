"""Limits what the HTTP client under the vendor's SDK sends, follows and reads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from studio.config.endpoints import is_loopback, is_vendor
from studio.foreign_json import JsonError, read_json
from studio.llm.errors import ModelError
from studio.llm.providers.messages import StreamedAnswer
from studio.llm.providers.wire_errors import from_exception
from studio.llm.stream import Deadlines
from studio.messages import said

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncAnthropic

CONNECT_SECONDS = 10.0
LARGEST_ERROR = 64_000
"""The maximum number of bytes read of an error's body; its message is a single line."""
LARGEST_PAGE = 4_000_000
"""The maximum number of bytes read of a server's information about itself."""
ERROR_SECONDS = 5.0
"""Seconds to read an error's body; when it arrives more slowly, its status is used alone."""
PLAIN = {"accept-encoding": "identity"}
"""Headers that turn compression off: small events gain nothing from it, and an uncompressed body
cannot be a decompression bomb."""


def vendor_client(api_key: str, base_url: str, deadlines: Deadlines) -> AsyncAnthropic:
    """Returns the vendor's client for one address, unaffected by shell variables.

    Any address other than the vendor's gets only the key that belongs to it: no headers of
    ANTHROPIC_CUSTOM_HEADERS, which may carry a vendor token, and no telemetry trace headers (R14).
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
        client._custom_headers = own  # the constructor has added the shell's headers
    return client


def http_client(base_url: str, deadlines: Deadlines) -> httpx2.AsyncClient:
    """Returns a client without redirects, which would forward the key, and without a
    proxy to this machine (M9).

    Raises:
        ModelError: the address, a proxy or the certificates of this machine's settings do not do.
    """
    import httpx2

    try:
        return _http_client(base_url, deadlines)
    except OSError as error:  # SSL_CERT_FILE may name a file that is not there
        raise ModelError(
            "connection",
            said(
                "the certificates of this machine cannot be read: {strerror}",
                strerror=error.strerror or error,
            ),
            retryable=False,
        ) from error
    except (ValueError, TypeError, httpx2.InvalidURL) as error:
        raise from_exception(error, base_url, StreamedAnswer("")) from error


def _http_client(base_url: str, deadlines: Deadlines) -> httpx2.AsyncClient:
    import httpx2
    from anthropic import DefaultAsyncHttpxClient

    timeout = httpx2.Timeout(max(deadlines.first_byte, deadlines.idle), connect=CONNECT_SECONDS)
    hooks = {"response": [shorten_error]}
    if is_loopback(base_url):
        return httpx2.AsyncClient(
            trust_env=False,
            verify=urlsplit(base_url).scheme != "http",  # 25 ms for certificates nobody shows
            follow_redirects=False,
            timeout=timeout,
            headers=PLAIN,
            event_hooks=hooks,
        )
    return DefaultAsyncHttpxClient(
        follow_redirects=False, timeout=timeout, headers=PLAIN, event_hooks=hooks
    )


class EndlessPage(Exception):
    """A server's page about itself exceeds the size limit."""


async def json_at(
    client: httpx2.AsyncClient, address: str, headers: Mapping[str, str]
) -> tuple[int, Any]:
    """Returns a page's status and its JSON; None where the body is not JSON or is compressed.

    Raises EndlessPage for a page over the size limit; bytes beyond the limit are not read (R6).
    """
    body = bytearray()
    async with client.stream("GET", address, headers=dict(headers)) as response:
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > LARGEST_PAGE:
                raise EndlessPage
    try:
        return response.status_code, read_json(body)
    except JsonError:
        return response.status_code, None


async def shorten_error(response: httpx2.Response) -> None:
    """Reads the beginning of an error's body in place of the SDK, which would read all of it.

    A compressed body is not unpacked, so that it cannot exhaust memory; the status is then used
    alone.
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
