"""What is proposed for the book's memory, as rows of its pages, to take or to leave: promises that
a model found, and entries for notes that were imported and for names without one. Pure except for
the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from studio.i18n import N_, _, as_label
from studio.story.form.slugs import name_of_id
from studio.tui.views.pages.memory_rows import KINDS, STANDINGS, MemoryRow, OfferedRow
from studio.tui.views.words import Line, Phrase, line

if TYPE_CHECKING:
    from studio.book.entries_from_names import Suggestion
    from studio.session import Session
    from studio.story.novel import PromiseProposal


PROMISE_KEYS = N_("a takes it into the book, r in other words, x leaves it.")
_KEYS_OF_AN_EVENT = N_("a takes it into the book, x leaves it.")


def proposed_promise_rows(session: Session) -> list[MemoryRow]:
    """Returns a row for each waiting proposal. Raises StudioError for an unreadable file."""
    from studio.book.promise_changes import promises_now, proposed_promises

    offered = proposed_promises(session.store)
    if not offered:
        return []
    promises = promises_now(session.store)
    abouts = {name: one.words or name_of_id(name) for name, one in promises.items()}
    return [_promise_row(session, one, abouts.get(one.id, "")) for one in offered]


def _promise_row(session: Session, one: PromiseProposal, about: str) -> MemoryRow:
    from studio.book.promise_changes import leave_promise, take_promise

    standing = _(STANDINGS[one.events[-1].kind])
    words = (
        Phrase(standing, "good"),
        Phrase(f"  {one.description or about}"),
        Phrase("  " + _("proposed"), "accent"),
    )
    proposal = OfferedRow(
        one.description,
        partial(take_promise, session.store, one),
        partial(leave_promise, session.store, one),
        _("What is promised") if one.is_new else "",
    )
    return MemoryRow(f"proposed/{one.key}", words, partial(_promise_details, one), proposal)


def _promise_details(one: PromiseProposal) -> Iterator[Line]:
    yield line(_("A model read it that way."), "quiet")
    yield line(_(PROMISE_KEYS) if one.is_new else _(_KEYS_OF_AN_EVENT), "accent")
    yield line()
    yield line(_("What the chapters did for it"), "heading")
    for event in one.events:
        did = as_label(_("chapter {n}", n=event.chapter)) + _(STANDINGS[event.kind])
        yield (Phrase(f"{did}  ", "quiet"), Phrase(event.quote, "quote"))


ENTRY_KEYS = N_("a makes it an entry, r under another name, x leaves it. A takes all notes.")


def waiting_rows(session: Session) -> list[MemoryRow]:
    """Returns a row for each waiting note. Raises StudioError for an unreadable one."""
    from studio.book.entries_from_names import waiting_notes

    return [_entry_row(session, one) for one in waiting_notes(session.store)]


def named_rows(session: Session, filled: Mapping[str, Suggestion]) -> list[MemoryRow]:
    """Returns a row for each name in the chapters that has no entry; `filled` holds, by name, the
    suggestions that a model has completed. Reads all chapters; raises StudioError for an unreadable
    one."""
    from studio.book.entries_from_names import suggestions

    offered = suggestions(session.store, session.settings.novel.language)
    return [_entry_row(session, filled.get(one.name, one)) for one in offered if one.note is None]


def _entry_row(session: Session, one: Suggestion) -> MemoryRow:
    from studio.book.entries_from_names import leave, take

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
    return MemoryRow(f"proposed/{one.name}", words, partial(_entry_details, one), proposal)


def _entry_details(one: Suggestion) -> Iterator[Line]:
    if one.note is not None:
        yield line(_("A note you brought in: {file}", file=one.note.meta.source), "quiet")
    else:
        count = _(
            "Named {count} times, first in chapter {n}.", count=one.count, n=one.first_chapter
        )
        yield line(count, "quiet")
    yield line(_(ENTRY_KEYS), "accent")
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
