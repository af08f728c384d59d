"""Where the gateway leaves what must outlive the process. The project implements it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from studio.story.records import CallRecord, Counted, UsageEntry


class Journal(Protocol):
    """The log of calls. Each method has written durably when it returns."""

    def recall(self, generation_id: str) -> CallRecord | None:
        """The record kept under this id."""
        ...

    def keep(self, record: CallRecord) -> None:
        """Keeps a record for good, in place of one of the same id."""
        ...

    def partial(self, generation_id: str, text: str) -> None:
        """Keeps the text received so far, in place of what was kept before (N11)."""
        ...

    def drop_partial(self, generation_id: str) -> None:
        """Forgets the partial text; its record has been kept."""
        ...

    def reserve(self, entry: UsageEntry, check: Callable[[Counted], None]) -> str:
        """Notes the worst case of an attempt, unless `check` raises for what counts already.

        No other process reserves in between. Returns a sentence about what
        could not be kept, or nothing.
        """
        ...

    def settle(self, entry: UsageEntry) -> None:
        """Notes the end of an attempt."""
        ...

    def received(self, attempt: str, tokens: int) -> None:
        """Notes how many tokens a running attempt has brought so far."""
        ...

    def tokens_received(self, attempt: str) -> int | None:
        """How many tokens a killed attempt had brought; None where nothing is known of it."""
        ...

    def interrupted(self) -> Sequence[UsageEntry]:
        """The reserves whose end nobody noted."""
        ...

    def may_go_unpriced(self, model: str) -> bool:
        """Whether the writer allowed calls to a model whose price is unknown."""
        ...
