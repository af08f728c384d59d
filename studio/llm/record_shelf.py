"""Stores and looks up finished records, and sets failed ones aside."""

from __future__ import annotations

from studio.llm.provider import Request
from studio.llm.records import Journal
from studio.llm.stream import FINISHED
from studio.llm.tool_loop import LOOKING_UP
from studio.story.records import CallRecord


class Shelf:
    """The records of a journal. No received text is ever overwritten."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def finished(self, request: Request) -> CallRecord | None:
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

    def put_aside(self, record: CallRecord) -> CallRecord:
        """Keeps a refused, truncated or unusable answer as `{id}-failed1`, 2, ..."""
        number = 1
        while self._journal.recall(f"{record.id}-failed{number}") is not None:
            number += 1
        failed_record = record.model_copy(update={"id": f"{record.id}-failed{number}"})
        self._journal.keep(failed_record)
        return failed_record
