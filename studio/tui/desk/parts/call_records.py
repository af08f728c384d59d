"""The finished calls of one chapter, read off the loop."""

from __future__ import annotations

from collections.abc import Sequence

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
        return in_order(records)


def in_order(records: Sequence[CallRecord]) -> tuple[CallRecord, ...]:
    """Oldest first. Of a generation in steps the last one has the record, which is dated from the
    first: it stands behind the steps that led to it."""

    def last_step(record: CallRecord) -> str:
        if record.step_count < 2:
            return record.created_at
        steps = f"{record.id.rpartition('-')[0]}-step"
        return max((r.created_at for r in records if r.id.startswith(steps)), default="")

    return tuple(sorted(records, key=lambda r: (max(r.created_at, last_step(r)), r.step_count)))
