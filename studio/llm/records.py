"""The gateway's interface to durable storage, which the project implements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from studio.story.records import CallRecord, Counted, UsageEntry


class Journal(Protocol):
    """The log of calls. Every method returns only after its data are durable."""

    def recall(self, generation_id: str) -> CallRecord | None:
        """Returns the record kept under this id."""
        ...

    def keep(self, record: CallRecord) -> None:
        """Keeps a record permanently, replacing one with the same id."""
        ...

    def partial(self, generation_id: str, text: str) -> None:
        """Keeps the text received so far, replacing earlier partial text (N11)."""
        ...

    def drop_partial(self, generation_id: str) -> None:
        """Deletes the partial text of a call whose record has been kept."""
        ...

    def reserve(self, entry: UsageEntry, check: Callable[[Counted], None]) -> str:
        """Logs the worst-case cost of an attempt, unless `check` raises for the current totals.

        No other process can reserve in between. Returns a sentence about anything that could not be
        kept, or an empty string.
        """
        ...

    def settle(self, entry: UsageEntry) -> None:
        """Logs the end of an attempt."""
        ...

    def received(self, attempt: str, tokens: int) -> None:
        """Logs how many tokens a running attempt has received so far."""
        ...

    def tokens_received(self, attempt: str) -> int | None:
        """Returns how many tokens a killed attempt had received; None where that is unknown."""
        ...

    def spent_on(self, chapter: int) -> float:
        """Returns the US dollars spent on a chapter so far."""
        ...

    def latest_usage(self) -> Sequence[UsageEntry]:
        """Returns the newest lines of the usage log, oldest first."""
        ...

    def interrupted(self) -> Sequence[UsageEntry]:
        """Returns the reserves that were never settled."""
        ...

    def may_go_unpriced(self, model: str) -> bool:
        """Whether the writer has allowed calls to a model of unknown price."""
        ...
