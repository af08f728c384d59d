"""Converts every failure while a server answers into one error type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from studio.llm.errors import ModelError
from studio.llm.keys import Key
from studio.llm.providers.event_stream import StreamLimitError
from studio.llm.providers.messages import Answer
from studio.llm.providers.wire_errors import from_exception, past_a_limit


@contextmanager
def wire_failures(
    key: Key, base_url: str, answer: Answer, *of_vendor: type[Exception]
) -> Iterator[None]:
    """Turns errors of the HTTP client, the stream and the vendor's library into
    ModelError, with any partial answer; a printed key that was refused is asked for anew."""
    import httpx2

    of_client = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError)
    failures: tuple[type[Exception], ...] = (*of_vendor, *of_client, ValueError, TypeError)
    try:
        yield
    except ModelError as error:
        raise _heeded(key, error) from None
    except StreamLimitError as error:
        raise past_a_limit(error, base_url, answer) from error
    except failures as error:
        raise _heeded(key, from_exception(error, base_url, answer)) from error


def _heeded(key: Key, error: ModelError) -> ModelError:
    """Returns the error; a printed key that was refused is forgotten."""
    if error.error_kind == "auth":
        key.forget()
    return error
