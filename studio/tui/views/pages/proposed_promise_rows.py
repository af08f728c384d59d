"""Promises that a model proposed, as rows of their page, to take or to leave. Pure except for the
session."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from studio.i18n import N_, _, as_label
from studio.tui.views.pages.memory_rows import STANDINGS, MemoryRow, OfferedRow
from studio.tui.views.words import Line, Phrase, line, name_of_id

if TYPE_CHECKING:
    from studio.session import Session
    from studio.story.novel import PromiseProposal

KEYS = N_("a takes it into the book, r in other words, x leaves it.")
_KEYS_OF_AN_EVENT = N_("a takes it into the book, x leaves it.")


def proposed_promise_rows(session: Session) -> list[MemoryRow]:
    """Returns a row for each waiting proposal. Raises StudioError for an unreadable file."""
    from studio.book.promise_changes import promises_now, proposed_promises

    offered = proposed_promises(session.store)
    if not offered:
        return []
    promises = promises_now(session.store)
    abouts = {name: one.words or name_of_id(name) for name, one in promises.items()}
    return [_row(session, one, abouts.get(one.id, "")) for one in offered]


def _row(session: Session, one: PromiseProposal, about: str) -> MemoryRow:
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
    return MemoryRow(f"proposed/{one.key}", words, partial(_details, one), proposal)


def _details(one: PromiseProposal) -> Iterator[Line]:
    yield line(_("A model read it that way."), "quiet")
    yield line(_(KEYS) if one.is_new else _(_KEYS_OF_AN_EVENT), "accent")
    yield line()
    yield line(_("What the chapters did for it"), "heading")
    for event in one.events:
        did = as_label(_("chapter {n}", n=event.chapter)) + _(STANDINGS[event.kind])
        yield (Phrase(f"{did}  ", "quiet"), Phrase(event.quote, "quote"))
