"""The finished calls of one chapter, read off the loop."""

from __future__ import annotations

from studio.session import Session
from studio.story.records import CallRecord


class CallsRead:
    """The finished calls of the chapter shown; a record is read once, for it never changes."""

    def __init__(self) -> None:
        self._records: dict[str, CallRecord | None] = {}

    def of(self, session: Session, chapter: int) -> tuple[CallRecord, ...]:
        """Oldest first; a record that cannot be read is left out, and tried again."""
        journal = session.store.journal
        self._records = {
            gen_id: self._records.get(gen_id) or journal.recall(gen_id)
            for gen_id in journal.generation_ids(chapter)
        }
        records = [record for record in self._records.values() if record is not None]
        return tuple(sorted(records, key=lambda record: record.created_at))
