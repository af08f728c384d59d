"""Decides how often to retry, how long to wait, and when to give up (E3, M8).

This is the only place that retries; the vendor's own retries are off.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from studio.llm.errors import FAULTS, LATER, ErrorKind, ModelError
from studio.messages import said

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]
OnRetry = Callable[[ErrorKind, int, float], None]
"""Called before each wait with the error kind, the number of the failed
attempt, and the seconds to wait."""

LONGEST_WAIT = 120.0
PAUSE = 30.0
"""The wait in seconds after an overloaded service or a timeout (seed 004, 10.3)."""
BUSY: frozenset[ErrorKind] = frozenset({"timeout", "overloaded"})
"""The error kinds that a short wait does not fix."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The retry policy: one retry per wait; a wait that the endpoint requests takes precedence."""

    waits: tuple[float, ...] = (1.0, 4.0)
    """Seconds to wait before each retry after a lost connection or a server failure."""
    pause: float = PAUSE
    """Seconds to wait before retrying after a timeout or while the service is overloaded."""
    longest_wait: float = LONGEST_WAIT
    sleep: Sleep = asyncio.sleep

    async def run(self, attempt: Callable[[int], Awaitable[T]], on_retry: OnRetry) -> T:
        """Returns the first answer of `attempt(1)`, `attempt(2)`, ...;
        raises the last ModelError, and one whose words stand."""
        number = 1
        while True:
            try:
                return await attempt(number)
            except ModelError as error:
                if error.stands:
                    raise
                failure = error
            await self.wait(failure, number, on_retry)
            number += 1

    async def wait(self, error: ModelError, number: int, on_retry: OnRetry) -> None:
        """Waits after attempt `number` failed; raises its error if no other attempt follows."""
        if not error.retryable or number > len(self.waits):
            raise error
        seconds = self._wait(error, self.waits[number - 1])
        on_retry(error.error_kind, number, seconds)
        await self.sleep(seconds)

    def _wait(self, error: ModelError, default: float) -> float:
        retry_after = error.retry_after
        if retry_after is None:
            return self.pause if error.error_kind in BUSY else default
        if retry_after > self.longest_wait:
            raise ModelError(
                error.error_kind,
                error.detail,
                partial=error.partial,
                usage=error.usage,
                retry_after=retry_after,
                hint=said(
                    "It asks to wait {retry_after}. {later}",
                    retry_after=_span(retry_after),
                    later=LATER,
                ),
            ) from error
        return retry_after


def retry_sentence(kind: ErrorKind, attempt: int, seconds: float) -> str:
    """Returns the sentence that the writer reads before each wait."""
    again = said(
        "trying again in {seconds} s (attempt {attempt})", seconds=f"{seconds:g}", attempt=attempt
    )
    return FAULTS[kind].detailed.format(detail=again)


def seconds_to_wait(header: str | None, now: datetime) -> float | None:
    """Parses a retry-after header, seconds or a date; None when absent, past or unreadable."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        seconds = _until(header, now)
    return seconds if 0 <= seconds < float("inf") else None


def _until(date: str, now: datetime) -> float:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, LookupError, OverflowError):
        return -1.0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - now).total_seconds()


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    return (
        said("{n} minutes", n=minutes)
        if minutes < 120
        else said("{n} hours", n=round(minutes / 60))
    )
