"""Maps every SDK or network exception while a server answers to one of our error kinds (sdk-notes:
each was probed).
"""

from __future__ import annotations

import json
import logging
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from studio.foreign_json import JsonError
from studio.llm.errors import ErrorKind, ModelError
from studio.llm.keys import Key
from studio.llm.providers.event_stream import StreamLimitError, TooLongError
from studio.llm.providers.messages import StreamedAnswer
from studio.llm.retry import seconds_to_wait
from studio.llm.surrogates import mend
from studio.messages import said
from studio.story.records import Usage

STATUSES: dict[int, ErrorKind] = {
    401: "auth",
    402: "payment",
    403: "forbidden",
    404: "not_found",
    408: "timeout",
    409: "server",
    413: "too_large",
    429: "rate_limit",
    529: "overloaded",
}
TYPES: dict[str, ErrorKind] = {
    "api_error": "server",
    "authentication_error": "auth",
    "billing_error": "payment",
    "invalid_request_error": "bad_request",
    "not_found_error": "not_found",
    "overloaded_error": "overloaded",
    "permission_error": "forbidden",
    "rate_limit_error": "rate_limit",
    "request_too_large": "too_large",
    "timeout_error": "timeout",
}
LONGEST_DETAIL = 300
_LOG = logging.getLogger("studio.llm")


def from_exception(error: Exception, base_url: str, answer: StreamedAnswer) -> ModelError:
    """Returns the ModelError for an SDK exception, with any partial answer."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return from_status(error.status_code, error.body, error.response.headers.get("retry-after"))
    if answer.began:
        return _cut_error(error, answer)
    if isinstance(error, anthropic.APIConnectionError | httpx2.HTTPError):
        return _connection_error(error, base_url)
    if isinstance(error, JsonError | json.JSONDecodeError | UnicodeDecodeError):
        return ModelError("protocol", _host(base_url), usage=Usage())
    return ModelError(
        "connection",
        said("{base_url}: {error}", base_url=_host(base_url), error=_words(error)),
        retryable=False,
    )


def from_status(status: int, body: Any, retry_after: str | None) -> ModelError:
    """Returns the ModelError for a response with an error status."""
    message = _error_message(body)
    detail = (
        said("{detail} (status {n})", detail=message, n=status)
        if message
        else said("status {n}", n=status)
    )
    return ModelError(
        _kind(status, message),
        detail,
        retry_after=seconds_to_wait(retry_after, datetime.now(UTC)),
    )


def from_event(event: dict[str, Any], answer: StreamedAnswer) -> ModelError:
    """Returns the ModelError for an `error` event in the middle of a stream."""
    error = event.get("error")
    kind = TYPES.get(str(error.get("type")) if isinstance(error, dict) else "", "server")
    return ModelError(kind, _error_message(event), partial=answer.text, usage=answer.usage)


def not_a_messages_server(base_url: str, content_type: str) -> ModelError:
    """Returns the ModelError for a page that is not an event stream."""
    content = content_type[:LONGEST_DETAIL] or "nothing"
    return ModelError("protocol", said("{host} sent {what}", host=_host(base_url), what=content))


def past_a_limit(error: StreamLimitError, base_url: str, answer: StreamedAnswer) -> ModelError:
    """Returns the ModelError for a stream abandoned at one of our
    limits, with any partial answer."""
    if isinstance(error, TooLongError):
        return ModelError("runaway", str(error), partial=answer.text, usage=answer.usage)
    detail = f"{_host(base_url)} {error}"
    return ModelError("protocol", detail, partial=answer.text, usage=answer.usage)


def _kind(status: int, message: str) -> ErrorKind:
    if status in STATUSES:
        return STATUSES[status]
    if status >= 500:
        return "server"
    if status < 400:
        return "protocol"
    return "too_large" if "too long" in message or "context" in message else "bad_request"


def _error_message(body: Any) -> str:
    error = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return mend(message).strip().rstrip(".")[:LONGEST_DETAIL] if isinstance(message, str) else ""


def _cut_error(error: Exception, answer: StreamedAnswer) -> ModelError:
    import httpx2

    text = answer.text
    progress = said("after {n} characters", n=f"{len(text):,}")
    if isinstance(error, httpx2.TimeoutException):
        return ModelError("timeout", progress, partial=text, usage=answer.usage)
    return ModelError(
        "cut",
        said("the connection was lost {where}", where=progress),
        partial=text,
        usage=answer.usage,
    )


def _connection_error(error: Exception, base_url: str) -> ModelError:
    import httpx2

    causes = _causes(error)
    if any(isinstance(cause, httpx2.ReadTimeout) for cause in causes):
        return ModelError(
            "timeout", said("{host} did not begin to answer", host=_host(base_url)), usage=Usage()
        )
    unsent = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol)
    usage = None if any(isinstance(cause, unsent) for cause in causes) else Usage()
    return ModelError(
        "connection",
        said("{base_url}: {error}", base_url=_host(base_url), error=_words(error)),
        usage=usage,
    )


def _words(error: BaseException) -> str:
    """Describes the error in a translatable sentence; the server's own words go to the log."""
    causes = _causes(error)
    _LOG.debug("The connection failed: %s", "; ".join(map(repr, causes)))
    for cause in causes:
        for kind, sentence in _reasons():
            if isinstance(cause, kind):
                return sentence
    return said("the connection failed")


@cache
def _reasons() -> tuple[tuple[type[BaseException], str], ...]:
    import httpx2

    return (
        (ConnectionRefusedError, said("nothing answers there")),
        (socket.gaierror, said("no such name is known")),
        (ssl.SSLError, said("the secure connection failed")),
        (TimeoutError, said("it does not answer")),
        (httpx2.TimeoutException, said("it does not answer")),
        (httpx2.ProxyError, said("the proxy does not let it through")),
        (httpx2.UnsupportedProtocol, said("this is not the address of a server")),
        (httpx2.InvalidURL, said("this is not the address of a server")),
        (ConnectionError, said("the connection was broken off")),
        (httpx2.RemoteProtocolError, said("the connection was broken off")),
        (httpx2.ReadError, said("the connection was broken off")),
        (httpx2.WriteError, said("the connection was broken off")),
        (UnicodeError, said("the key or the address has characters that cannot be sent")),
        (ValueError, said("this is not the address of a server")),
    )


def _causes(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain


def _host(base_url: str) -> str:
    parts = urlsplit(base_url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


@contextmanager
def wire_failures(
    key: Key, base_url: str, answer: StreamedAnswer, *of_vendor: type[Exception]
) -> Iterator[None]:
    """Turns errors of the HTTP client, the stream and the vendor's library into
    ModelError, with any partial answer; a printed key that was refused is asked for anew."""
    import httpx2

    of_client = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError)
    failures: tuple[type[Exception], ...] = (*of_vendor, *of_client, ValueError, TypeError)
    try:
        yield
    except ModelError as error:
        raise _heed(key, error) from None
    except StreamLimitError as error:
        raise past_a_limit(error, base_url, answer) from error
    except failures as error:
        raise _heed(key, from_exception(error, base_url, answer)) from error


def _heed(key: Key, error: ModelError) -> ModelError:
    """Returns the error; a printed key that was refused is forgotten."""
    if error.error_kind == "auth":
        key.forget()
    return error
