"""Receives and saves a streamed answer, and detects how it may end badly (M1-M3)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from studio.config.endpoints import is_vendor
from studio.errors import StudioError
from studio.llm.errors import ErrorKind, ModelError
from studio.llm.provider import AnswerDelta, Listen, Reply, Request
from studio.messages import said
from studio.story.records import Usage

FINISHED = "end"
"""The only finish reason whose text enters the book."""


STOPPED = "stopped"
"""The finish reason of an answer that the writer stopped."""
UNANSWERED = "asked"
"""The finish reason of a call that is running, or of which a kill left only what was asked."""
KILLED = "killed"
"""The finish reason of a call that a kill ended: its text is what had come by then."""


def bad_ending(reply: Reply, request: Request) -> ModelError | None:
    """Returns the error in a reply that arrived but is not a whole answer."""
    where = said("after {n} characters", n=f"{len(reply.text):,}")
    if reply.finish_reason == "refusal":
        return _error("refusal", reply, reply.detail)
    if reply.finish_reason == "cut":
        return _error("cut", reply, said("the connection was lost {where}", where=where))
    if reply.finish_reason == "length" and not request.open_ended:
        return _error(
            "cut",
            reply,
            said(
                "its limit of {n} tokens ended it {where}", n=f"{request.max_tokens:,}", where=where
            ),
        )
    if reply.finish_reason == "tool_use":
        return _bad_look_ups(reply, request)
    if reply.finish_reason not in (FINISHED, "length"):
        return _error("cut", reply, said("it stopped for an unknown reason {where}", where=where))
    essential_text = request.essential(reply.text) if request.essential else reply.text
    if not essential_text.strip():
        return _error("empty", reply, reply.detail)
    return None


def _bad_look_ups(reply: Reply, request: Request) -> ModelError | None:
    """Returns the error for look-ups where none, or no more, are allowed."""
    if request.tools and not request.must_answer and reply.content:
        return None
    if reply.text.strip():
        return None
    return _error(
        "empty", reply, said("it asked to look something up when it should have answered")
    )


def _error(kind: ErrorKind, reply: Reply, detail: str) -> ModelError:
    retryable = None if kind != "cut" or reply.finish_reason == "cut" else False
    return ModelError(kind, detail, partial=reply.text, usage=reply.usage, retryable=retryable)


LOOP_WINDOW = 1200
"""The number of characters that must be one repeated unit to count as a loop."""
LONGEST_UNIT = 120


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Timeouts in seconds: for the first sign of life, between two
    signs, and for the whole call."""

    first_byte: float = 600.0
    idle: float = 120.0
    total: float = 1800.0


def deadlines_for(
    base_url: str | None,
    first_byte: float | None = None,
    idle: float = 120.0,
    total: float = 1800.0,
) -> Deadlines:
    """Returns the timeouts: 30 s to the first byte from the vendor's host, 600 s from
    any other (DESIGN section 10)."""
    if first_byte is None:
        first_byte = 30.0 if base_url and is_vendor(base_url) else 600.0
    return Deadlines(first_byte, idle, total)


def is_looping(text: str) -> bool:
    """Whether `text` ends in one short unit repeated over and over."""
    tail = text[-LOOP_WINDOW:]
    if len(tail) < LOOP_WINDOW:
        return False
    return any(tail[unit:] == tail[:-unit] for unit in range(1, LONGEST_UNIT + 1))


CHECK_EVERY = 400
"""The number of characters between two checks for a loop."""


class Reception:
    """Receives the deltas of one attempt; use it on the event loop's thread and close it.

    The text so far is passed to `save` at most `save_every` seconds after anything arrives, so that
    text older than a second survives any kill (N11).
    """

    def __init__(
        self,
        listen: Listen,
        save: Callable[[str], None],
        *,
        largest: int,
        save_every: float,
    ) -> None:
        self._listen = listen
        self._save = save
        self._largest = largest
        self._save_every = save_every
        self.on_life: Callable[[AnswerDelta], None] = lambda delta: None
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._size = 0
        self._checked = 0
        self._timer: asyncio.TimerHandle | None = None
        self._fault: StudioError | None = None
        self.usage = Usage()
        """What the endpoint has said of the prompt's tokens so far."""

    @property
    def text(self) -> str:
        """The answer received so far."""
        return "".join(self._text)

    @property
    def thinking(self) -> str:
        """The thinking received so far."""
        return "".join(self._reasoning)

    @property
    def all_text(self) -> str:
        """All generated text, thinking included, for estimating its tokens."""
        return self.thinking + self.text

    def take(self, delta: AnswerDelta) -> None:
        """Displays and keeps a delta; raises ModelError (runaway) to stop an answer."""
        self.on_life(delta)
        self.usage = delta.usage or self.usage
        if self._fault is not None:
            raise self._fault
        if not delta.text:
            return
        (self._text if delta.kind == "text" else self._reasoning).append(delta.text)
        self._size += len(delta.text)
        self._listen(delta)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._save_every, self._keep)
        if self._size - self._checked >= CHECK_EVERY or self._size > self._largest:
            self._checked = self._size
            self._stop_a_runaway()

    def close(self) -> None:
        """Ends the attempt and saves any unsaved text."""
        if self._timer is not None:
            self._timer.cancel()
            self._keep()

    def forget(self) -> None:
        """Ends the attempt without saving, because its text is kept elsewhere."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _keep(self) -> None:
        self._timer = None
        try:
            self._save(self.text)
        except StudioError as error:
            self._fault = error

    def _stop_a_runaway(self) -> None:
        paid = Usage()  # the final count never arrives; the received text still costs money
        if self._size > self._largest:
            raise ModelError(
                "runaway", said("more than {n} characters came", n=f"{self._largest:,}"), usage=paid
            )
        if is_looping(_tail(self._text)) or is_looping(_tail(self._reasoning)):
            raise ModelError("runaway", said("it says the same thing over and over"), usage=paid)


def _tail(pieces: list[str]) -> str:
    tail: list[str] = []
    size = 0
    for piece in reversed(pieces):
        tail.append(piece)
        size += len(piece)
        if size >= LOOP_WINDOW:
            break
    return "".join(reversed(tail))
