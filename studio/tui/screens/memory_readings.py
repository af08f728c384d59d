"""What a model can read for a page of what the book remembers, and its maximum cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from studio.errors import usage
from studio.i18n import _, translate

if TYPE_CHECKING:
    from studio.session import Session
    from studio.story.ledger import Estimate
    from studio.tui.runtime.bridge import RunWork
    from studio.tui.views.pages.memory_rows import Tab

_TOGETHER = 10
"""The number of latest chapters that are checked against each other."""


class OfferedReading(NamedTuple):
    """A reading that a model could do."""

    price: str
    """A sentence that says what is read, by whom and for how much."""
    work: RunWork


def reading_of(tab: Tab, session: Session, chapter: int) -> OfferedReading:
    """Returns what a model would read for a tab as `chapter` begins; calls no model.

    Raises StudioError (exit 2) if there is nothing to read for it, or no model that can.
    """
    if tab == "bible":
        return _names(session)
    if tab == "continuity":
        return _chapters(session, chapter)
    if tab == "promises":
        return _promises(session, chapter)
    raise usage(
        _("A model reads for the bible, for promises and for contradictions."),
        _("Turn to one of these pages."),
    )


def _names(session: Session) -> OfferedReading:
    from studio.book.entries_from_names import suggestions

    offered = suggestions(session.store, session.settings.novel.language)
    filler = session.entry_filler()
    price = filler.price(offered)
    if not price.calls:
        raise usage(_("Every name that occurs often enough in the book has its entry."), "")
    words = _("For names without an entry, it says what the chapters tell about them, with quotes.")
    return OfferedReading(
        _say_price(words, price.calls, price.model, price.cost),
        lambda hear: filler.fill(offered, hear),
    )


def _promises(session: Session, chapter: int) -> OfferedReading:
    reader = session.promise_reader()
    numbers = range(max(1, chapter - _TOGETHER), chapter)
    plan = reader.plan(numbers)
    words = _(
        "It reads chapters {first} to {last} for what they promise the reader and what they do "
        "for existing promises. Its proposals wait here until you take or leave them.",
        first=plan.windows[0][0],
        last=plan.windows[-1][-1],
    )
    return OfferedReading(
        _say_price(words, len(plan.windows), plan.model, plan.cost),
        lambda hear: reader.run(numbers, hear),
    )


def _chapters(session: Session, chapter: int) -> OfferedReading:
    reader = session.continuity_reader()
    numbers = range(max(1, chapter - _TOGETHER), chapter)
    plan = reader.plan(numbers)
    words = _(
        "It reads chapters {first} to {last} against each other and tries to disprove what it "
        "finds.",
        first=plan.windows[0][0],
        last=plan.windows[-1][-1],
    )
    return OfferedReading(
        _say_price(words, 2 * len(plan.windows), plan.model, plan.cost),
        lambda hear: reader.run(numbers, hear),
    )


def _say_price(words: str, calls: int, model: str, cost: Estimate) -> str:
    price = _("Calls: {count} to {model}, {cost}.", count=calls, model=model,
              cost=translate(cost.words))  # fmt: skip
    return f"{words}\n{price}"
