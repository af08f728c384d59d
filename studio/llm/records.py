"""The records of calls as the gateway needs them: the interface to durable storage, which the
project implements, and a shelf that looks up finished records and sets failed ones aside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from studio.errors import StudioError
from studio.llm.provider import Request
from studio.llm.stream import FINISHED, KILLED, UNANSWERED
from studio.llm.tool_loop import LOOKING_UP
from studio.story.records import CallRecord, Counted, UsageEntry

_ASKED = "-asked"
"""Behind the id of a call in the id of the record that is kept while the call is made."""


class Journal(Protocol):
    """The log of calls. Every method returns only after its data are durable; what is not defined
    anew keeps nothing, and forbids nothing."""

    def recall(self, generation_id: str) -> CallRecord | None:
        """Returns the record kept under this id."""
        return None

    def keep(self, record: CallRecord) -> None:
        """Keeps a record permanently, replacing one with the same id."""
        return

    def begin(self, record: CallRecord) -> None:
        """Keeps the record of a call that is about to be made, until it is withdrawn."""
        return

    def withdraw(self, generation_id: str) -> None:
        """Deletes the record of a call that was about to be made, if there is one."""
        return

    def partial(self, generation_id: str, text: str) -> None:
        """Keeps the text received so far, replacing earlier partial text (N11)."""
        return

    def received(self, generation_id: str) -> str:
        """Returns the partial text that is kept of a call; empty if none is."""
        return ""

    def drop_partial(self, generation_id: str) -> None:
        """Deletes the partial text of a call whose record has been kept."""
        return

    def reserve(self, entry: UsageEntry, check: Callable[[Counted], None]) -> str:
        """Logs the worst-case cost of an attempt, unless `check` raises for the current totals.

        No other process can reserve in between. Returns a sentence about anything that could not be
        kept, or an empty string.
        """
        return ""

    def settle(self, entry: UsageEntry) -> None:
        """Logs the end of an attempt."""
        return

    def record_received(self, attempt: str, tokens: int) -> None:
        """Logs how many tokens a running attempt has received so far."""
        return

    def tokens_received(self, attempt: str) -> int | None:
        """Returns how many tokens a killed attempt had received; None where that is unknown."""
        return None

    def spent_on(self, chapter: int) -> float:
        """Returns the US dollars spent on a chapter so far."""
        return 0.0

    def latest_usage(self) -> Sequence[UsageEntry]:
        """Returns the newest lines of the usage log, oldest first."""
        return ()

    def interrupted_calls(self) -> Sequence[UsageEntry]:
        """Returns the reserves that were never settled."""
        return ()

    def may_go_unpriced(self, model: str) -> bool:
        """Whether the writer has allowed calls to a model of unknown price."""
        return True


class Shelf:
    """The records of a journal. No received text is ever overwritten."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def find_finished(self, request: Request) -> CallRecord | None:
        """Returns the record that answers this exact request, so that it is not asked again."""
        record = self._journal.recall(request.generation_id)
        if record is None or record.request_sha256 != request.sha256:
            return None
        return record if record.finish_reason in (FINISHED, LOOKING_UP) else None

    def keep(self, record: CallRecord) -> CallRecord:
        """Keeps a whole answer under the request's id, setting aside an older, different one."""
        previous_record = self._journal.recall(record.id)
        if previous_record is not None and previous_record.generated_text != record.generated_text:
            self.put_aside(previous_record)
        self._journal.keep(record)
        return record

    def begin(self, record: CallRecord) -> None:
        """Keeps what is about to be asked, so that a kill leaves it known; `end` withdraws it. A
        full disk does not forbid the call."""
        with suppress(StudioError):
            asked = {"id": f"{record.id}{_ASKED}", "finish_reason": UNANSWERED}
            self._journal.begin(record.copy_with(**asked))

    def end(self, generation_id: str) -> None:
        """Withdraws what was about to be asked: the call has ended, and its own record says how."""
        with suppress(StudioError):
            self._journal.withdraw(f"{generation_id}{_ASKED}")

    def put_killed_aside(self, generation_id: str, entry: UsageEntry | None) -> None:
        """Keeps the record of a call that a kill ended, with what had come of it, and what it cost
        by its settled `entry`, beside those that failed; nothing where the call was not even
        made."""
        record = self._journal.recall(f"{generation_id}{_ASKED}")
        if record is None:
            return
        cost = {"total_usage": entry.usage, "cost_usd": entry.usd} if entry is not None else {}
        came = {"generated_text": self._journal.received(generation_id)}
        ending = {"id": generation_id, "finish_reason": KILLED, **came, **cost}
        self.put_aside(record.copy_with(**ending))
        self.end(generation_id)

    def put_aside(self, record: CallRecord) -> CallRecord:
        """Keeps a refused, truncated or unusable answer as `{id}-failed1`, 2, ..."""
        number = 1
        while self._journal.recall(f"{record.id}-failed{number}") is not None:
            number += 1
        failed_record = record.copy_with(id=f"{record.id}-failed{number}")
        self._journal.keep(failed_record)
        return failed_record
