"""Where the gateway leaves what must outlive the process. The project implements it."""

from __future__ import annotations

from typing import Protocol

from studio.story.calls import CallRecord, UsageEntry


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

    def note(self, entry: UsageEntry) -> None:
        """Appends a line to the usage log."""
        ...

    def usage_entries(self) -> list[UsageEntry]:
        """The usage log as it is now, other processes' lines included."""
        ...
