"""The finished calls of one chapter, read off the event loop."""

from __future__ import annotations

from collections.abc import Sequence

from studio.session import Session
from studio.story.records import CallRecord


class CallsRead:
    """The finished calls of the current chapter; each record is read once, since records never
    change, and anew under another number of the chapter."""

    def __init__(self) -> None:
        self._records: dict[str, CallRecord | None] = {}

    def of(self, session: Session, chapter: int) -> tuple[CallRecord, ...]:
        """Returns the calls, oldest first; an unreadable record is skipped, and tried again next
        time."""
        journal = session.store.journal
        known = {name: r for name, r in self._records.items() if r and r.chapter == chapter}
        self._records = {
            gen_id: known.get(gen_id) or journal.recall_today(gen_id)
            for gen_id in journal.generation_ids(chapter)
        }
        records = [record for record in self._records.values() if record is not None]
        return in_order(records)


def in_order(records: Sequence[CallRecord]) -> tuple[CallRecord, ...]:
    """Returns records oldest first. The record of a generation in steps belongs to its last step
    but has the date of the first: it is sorted after the steps before it."""

    def last_step(record: CallRecord) -> str:
        if record.step_count < 2:
            return record.created_at
        steps = f"{record.id.rpartition('-')[0]}-step"
        return max((r.created_at for r in records if r.id.startswith(steps)), default="")

    return tuple(sorted(records, key=lambda r: (max(r.created_at, last_step(r)), r.step_count)))
