"""What the desk shows as the facts its actions look at. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.tui.views.situation import Situation

if TYPE_CHECKING:
    from studio.story.review.directive import Directive
    from studio.tui.book import Book, Shown
    from studio.tui.views.run.moment import RunState


def facts(
    book: Book | None,
    shown: Shown | None,
    run: RunState,
    *,
    chosen: Directive | None,
    counsel: bool,
    selection: bool,
    has_model: bool,
) -> Situation:
    """The situation of a desk; `chosen` is the directive under the cursor."""
    checkpoint = book.checkpoint if book else None
    question = checkpoint.pending_decision if checkpoint else None
    last = checkpoint.last_completed_chapter if checkpoint else 0
    inflight = checkpoint.inflight_chapter if checkpoint else None
    sheet = shown.sheet if shown else None
    return Situation(
        novel=book is not None,
        elsewhere=book.elsewhere if book and not run.running else "",
        running=run.running,
        stopping=run.stopping,
        inflight=inflight,
        staged=bool(book and book.staged),
        decision=question.kind if question else None,
        shown=shown.chapter if shown else None,
        shown_written=bool(shown and shown.text),
        shown_committed=bool(shown and shown.chapter <= last),
        directive=chosen.status if chosen else None,
        counsel=counsel,
        directives_here=bool(shown and shown.chapter == inflight),
        pending=len([d for d in sheet.open if d.status == "pending"]) if sheet else 0,
        approved=len(sheet.approved) if sheet else 0,
        selection=selection,
        has_model=has_model,
    )
