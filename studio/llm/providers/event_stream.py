"""Reads the events of a streaming answer without letting a server exhaust memory or stack.

The vendor's reader buffers a line until it ends, however long it grows, and does not limit nesting;
this reader gives up at the limits below (M10, O8).
"""

from __future__ import annotations

import codecs
from collections.abc import AsyncGenerator, AsyncIterable, Iterator
from dataclasses import dataclass
from typing import Any

from studio.foreign_json import JsonError, read_json
from studio.messages import said

LARGEST_STREAM = 64_000_000
"""The limit of one answer in bytes, unpacked: over ten times the longest accepted answer."""
LARGEST_EVENT = 4_000_000
"""The limit in bytes of one line, and of all lines of one event."""
LONGEST_PREFACE = 64_000
"""The limit in bytes before the first event; a page of some other program is longer."""
DEEPEST = 64
"""The maximum nesting of brackets in one event; the Messages API needs about six levels."""


class StreamLimitError(Exception):
    """A stream exceeded a limit; the message says which, as the end
    of a sentence about its server."""


class TooLongError(StreamLimitError):
    """A stream that is well formed but does not end."""


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event: its name, and its data as received."""

    name: str
    data: str

    @property
    def value(self) -> dict[str, Any] | None:
        """Returns the JSON object in the data, or None where the data hold none.

        Raises JsonError where the data are not JSON, and StreamLimitError where they are nested
        deeper than `DEEPEST`.
        """
        if not self.data:
            return None
        try:
            value = read_json(self.data, lenient=True, deepest=DEEPEST)
        except JsonError as error:
            if error.fault == "depth":
                words = said("sent brackets within brackets without end")
                raise StreamLimitError(words) from error
            raise
        return value if isinstance(value, dict) else None


async def stream_events(body: AsyncIterable[bytes]) -> AsyncGenerator[StreamEvent, None]:
    """Yields the events of a chunked body, pings included: a model that is thinking is alive.

    Raises StreamLimitError at a limit, and UnicodeDecodeError where a line is not UTF-8. Surrogate
    halves written as three bytes each are let through.
    """
    size, before_first = 0, True
    assembly = _Assembly()
    async for piece in body:
        size += len(piece)
        for event in assembly.take(piece):
            before_first = False
            yield event
        if size > LARGEST_STREAM:
            raise TooLongError(
                said(
                    "more than {largest_stream} MB came", largest_stream=LARGEST_STREAM // 1_000_000
                )
            )
        if before_first and size > LONGEST_PREFACE and not assembly.in_event:
            raise StreamLimitError(said("sent something else than events"))


class _Assembly:
    """Assembles the pieces of a body into lines, and lines into events."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._is_first_line = True
        self._after_return = False
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    @property
    def in_event(self) -> bool:
        """Whether part of an event has been received."""
        line = self._line.removeprefix(codecs.BOM_UTF8) if self._is_first_line else self._line
        return bool(self._data) or line.startswith(b"data:")

    def take(self, piece: bytes) -> Iterator[StreamEvent]:
        for part in piece.splitlines(keepends=True):
            if part == b"\n" and self._after_return:
                self._after_return = False  # the second half of a split CR LF
                continue
            self._after_return = part.endswith(b"\r")
            self._line += part
            self._size += len(part)
            if self._size > LARGEST_EVENT:
                raise StreamLimitError(said("sent a line or an event without an end"))
            if part.endswith((b"\n", b"\r")):
                line = self._line.rstrip(b"\r\n").decode("utf-8", "surrogatepass")
                self._line.clear()
                if self._is_first_line:  # a stream may begin with a mark (HTML standard, 9.2.5)
                    line, self._is_first_line = line.removeprefix("\ufeff"), False
                yield from self._take_line(line)

    def _take_line(self, line: str) -> Iterator[StreamEvent]:
        if not line:
            if self._name or self._data:
                yield StreamEvent(self._name, "\n".join(self._data))
            self._name, self._data, self._size = "", [], 0
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        if not self._data:
            self._size = 0  # an event of comments and names alone has no size
