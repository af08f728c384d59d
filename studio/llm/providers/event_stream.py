"""The events of a streaming answer, read so that a server can fill neither memory nor stack.

The vendor's reader keeps a line until it ends, however long it grows, and
knows no end of brackets; this one gives up at the limits below (M10, O8).
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, AsyncIterable, Iterator
from dataclasses import dataclass
from typing import Any

LARGEST_STREAM = 64_000_000
"""Bytes of one answer, unpacked: over ten times the longest answer that is taken."""
LARGEST_EVENT = 4_000_000
"""Bytes of one line, and of all lines of one event."""
LONGEST_PREFACE = 64_000
"""Bytes before the first event; a page of some other program is longer."""
DEEPEST = 64
"""Brackets within brackets in one event; the Messages API needs about six."""

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""A string, or one that nothing closes to its end: else each quotation mark in that would be
looked for the end of once more."""
_NOT_BRACKETS = re.compile(r"[^\[\]{}]+")


class StreamLimitError(Exception):
    """A stream passed a limit; the text says which, as the end of a sentence about its server."""


class TooLongError(StreamLimitError):
    """A stream that is well formed and does not end."""


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event: its name, and its data as they came."""

    name: str
    data: str

    @property
    def value(self) -> dict[str, Any] | None:
        """The object in the data, None where there is none.

        Raises ValueError where the data are no JSON, StreamLimitError where
        they are nested deeper than `DEEPEST`.
        """
        if not self.data:
            return None
        if _is_too_deep(self.data):
            raise StreamLimitError("sent brackets within brackets without end")
        value = json.loads(self.data)
        return value if isinstance(value, dict) else None


async def stream_events(body: AsyncIterable[bytes]) -> AsyncGenerator[StreamEvent, None]:
    """The events in the pieces of a body, pings included: a model that thinks is a model that
    lives.

    Raises StreamLimitError at a limit and UnicodeDecodeError where a line is no
    UTF-8. Halves of surrogate pairs written as three bytes each are let through.
    """
    size, before_first = 0, True
    assembly = _Assembly()
    async for piece in body:
        size += len(piece)
        for event in assembly.take(piece):
            before_first = False
            yield event
        if size > LARGEST_STREAM:
            raise TooLongError(f"more than {LARGEST_STREAM // 1_000_000} MB came")
        if before_first and size > LONGEST_PREFACE and not assembly.in_event:
            raise StreamLimitError("sent something else than events")


class _Assembly:
    """Assembles lines out of the pieces of a body, and events out of lines."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._after_return = False
        self._name = ""
        self._data: list[str] = []
        self._size = 0

    @property
    def in_event(self) -> bool:
        """Whether part of an event has come."""
        return bool(self._data) or self._line.startswith(b"data:")

    def take(self, piece: bytes) -> Iterator[StreamEvent]:
        for part in piece.splitlines(keepends=True):
            if part == b"\n" and self._after_return:
                self._after_return = False  # the second half of a CR LF cut apart
                continue
            self._after_return = part.endswith(b"\r")
            self._line += part
            self._size += len(part)
            if self._size > LARGEST_EVENT:
                raise StreamLimitError("sent a line or an event without an end")
            if part.endswith((b"\n", b"\r")):
                line = self._line.rstrip(b"\r\n").decode("utf-8", "surrogatepass")
                self._line.clear()
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
            self._size = 0  # comments and names alone add up to nothing


def _is_too_deep(data: str) -> bool:
    """Whether `data` nests deeper than `DEEPEST`; brackets inside strings do not count."""
    if data.count("[") + data.count("{") <= DEEPEST:
        return False
    depth = 0
    for bracket in _NOT_BRACKETS.sub("", _STRING.sub("", data)):
        depth += 1 if bracket in "[{" else -1
        if depth > DEEPEST:
            return True
    return False
