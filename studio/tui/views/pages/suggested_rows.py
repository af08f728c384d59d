"""Suggested entries for the bible, as rows of its page: imported notes, and names in the chapters
that have no entry. Pure except for the session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from studio.i18n import N_, _
from studio.tui.views.pages.memory_rows import KINDS, MemoryRow, OfferedRow
from studio.tui.views.words import Line, Phrase, line

if TYPE_CHECKING:
    from studio.book.suggested_entries import Suggestion
    from studio.session import Session

KEYS = N_("a makes it an entry, r under another name, x leaves it. A takes all notes.")


def waiting_rows(session: Session) -> list[MemoryRow]:
    """Returns a row for each waiting note. Raises StudioError for an unreadable one."""
    from studio.book.suggested_entries import waiting_notes

    return [_row(session, one) for one in waiting_notes(session.store)]


def named_rows(session: Session, filled: Mapping[str, Suggestion]) -> list[MemoryRow]:
    """Returns a row for each name in the chapters that has no entry; `filled` holds, by name, the
    suggestions that a model has completed. Reads all chapters; raises StudioError for an unreadable
    one."""
    from studio.book.suggested_entries import suggestions

    offered = suggestions(session.store, session.settings.novel.language)
    return [_row(session, filled.get(one.name, one)) for one in offered if one.note is None]


def _row(session: Session, one: Suggestion) -> MemoryRow:
    from studio.book.suggested_entries import leave, take

    proposal = OfferedRow(
        one.name,
        partial(take, session.store, one),
        partial(leave, session.store, one),
        _("Its name"),
        is_note=one.note is not None,
    )
    words = (
        Phrase(f"{one.name}  ", "strong"),
        Phrase(_(KINDS[one.kind]), "quiet"),
        Phrase("  " + _("proposed"), "accent"),
    )
    return MemoryRow(f"proposed/{one.name}", words, partial(_details, one), proposal)


def _details(one: Suggestion) -> Iterator[Line]:
    if one.note is not None:
        yield line(_("A note you brought in: {file}", file=one.note.meta.source), "quiet")
    else:
        count = _(
            "Named {count} times, first in chapter {n}.", count=one.count, n=one.first_chapter
        )
        yield line(count, "quiet")
    yield line(_(KEYS), "accent")
    yield line()
    if one.note is not None:
        yield from map(line, one.note.text.splitlines())
    else:
        yield line(one.quote, "quote")
        yield from _read_by_a_model(one)


def _read_by_a_model(one: Suggestion) -> Iterator[Line]:
    if not one.is_a_name:
        yield line(_("A model does not take it for a name."), "warn")
    elif one.same_as:
        yield line(_("A model takes it for {name}.", name=one.same_as), "warn")
    for each in one.facts:
        yield line()
        yield line(each.fact)
        head = _("chapter {n}", n=each.chapter)
        yield (Phrase(f"{head}  ", "quiet"), Phrase(each.quote, "quote"))
