"""Calls and kept texts of one chapter, read off the loop."""

from __future__ import annotations

from studio.project.variations import Variations
from studio.session import Session
from studio.story.calls import CallRecord
from studio.text.language import load_pack
from studio.text.reading import units_in
from studio.tui.views.kept_texts import KeptText


class CallsRead:
    """The finished calls of the chapter shown; a record is read once, for it never changes."""

    def __init__(self) -> None:
        self._records: dict[str, CallRecord | None] = {}

    def of(self, session: Session, chapter: int) -> tuple[CallRecord, ...]:
        """Oldest first; a record that cannot be read is left out, and tried again."""
        journal = session.store.journal
        mine = f"gen-{chapter:03d}-"
        self._records = {
            gen_id: self._records.get(gen_id) or journal.recall(gen_id)
            for gen_id in journal.generation_ids()
            if gen_id.startswith(mine)
        }
        found = [record for record in self._records.values() if record is not None]
        return tuple(sorted(found, key=lambda record: record.created_at))


def kept_of(session: Session, chapter: int) -> tuple[KeptText, ...]:
    """The kept texts of a chapter and its scenes, newest first.

    StudioError 5 for one that cannot be read.
    """
    pack = load_pack(session.settings.novel.language)
    kept = Variations(session.store.layout)
    found: list[KeptText] = []
    for one in kept.everything(chapter):
        for variation in one.variations:
            text = kept.text(chapter, variation)
            found.append(
                KeptText(
                    chapter=chapter,
                    scene=one.scene or None,
                    sha256=variation.sha256,
                    reason=variation.reason,
                    created_at=variation.created_at,
                    text=text,
                    length=units_in(text, pack),
                )
            )
    return tuple(sorted(found, key=lambda k: k.created_at, reverse=True))
