"""Calls and kept texts of one chapter, read off the loop."""

from __future__ import annotations

from studio.project.variations import Variations
from studio.session import Session
from studio.story.calls import CallRecord
from studio.text.language import load_pack
from studio.text.reading import units_in
from studio.tui.views.kept_texts import KeptText


def calls_of(session: Session, chapter: int) -> tuple[CallRecord, ...]:
    """The finished calls of a chapter, oldest first; a record that cannot be read is left out."""
    journal = session.store.journal
    mine = f"gen-{chapter:03d}-"
    found = [journal.recall(i) for i in journal.generation_ids() if i.startswith(mine)]
    return tuple(sorted((r for r in found if r is not None), key=lambda r: r.created_at))


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
