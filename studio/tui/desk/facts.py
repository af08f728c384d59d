"""The facts that the desk's actions check, computed from the desk's state. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.i18n import _, translate
from studio.tui.views.situation import Situation

if TYPE_CHECKING:
    from studio.story.review.directive import Directive
    from studio.story.review.evaluation import Counsel
    from studio.tui.book import CurrentChapter
    from studio.tui.desk.state import DeskState
    from studio.tui.views.review.plain_names import FixOrProposal

_GATED = "gated"
"""The stage of a chapter in its review; the first frame does without the type (P5)."""


def facts(
    state: DeskState,
    selected: Directive | None = None,
    *,
    counsel: bool = False,
    selection: bool = False,
    directing: bool = False,
) -> Situation:
    """Returns the situation of a desk; `selected` is the directive under the cursor."""
    book, current, run, question = state.book, state.current, state.run, state.question
    checkpoint = book.checkpoint if book else None
    last = checkpoint.last_completed_chapter if checkpoint else 0
    inflight = checkpoint.inflight_chapter if checkpoint else None
    here = bool(current and current.chapter == inflight)
    sheet = state.sheet if here else None  # open directives of a finished chapter block nothing
    now = Situation(
        novel=book is not None,
        elsewhere=book.elsewhere if book and not run.running else "",
        running=run.running or state.goes_on,
        stopping=run.stopping,
        inflight=inflight,
        staged=bool(book and book.staged),
        changed=bool(book and book.changed and inflight is not None),
        decision=question.kind if question else None,
        in_review=bool(checkpoint and (checkpoint.pipeline_stage == _GATED or checkpoint.own_text)),
        without_review=bool(here and current and current.text and sheet is None),
        in_progress=state.decidable is not None,
        current=state.chapter,
        current_is_written=bool(current and current.text),
        current_is_committed=bool(current and current.chapter <= last),
        current_is_in_chapters=bool(
            current and (current.chapter <= last or current.source == "book")
        ),
        current_is_next=bool(book and current and current.chapter == book.next_chapter),
        unplanned=current is not None
        and not (current.text or current.contract or current.plan or current.waiting),
        waits=current is not None and current.waiting is not None,
        directive=selected.status if selected else None,
        stands=selected.stands if selected else "same",
        counsel=counsel,
        directives_here=here,
        pending=len(undecided_changes(current)) if current and here else 0,
        choices=len(unanswered_choices(current)) if current and here else 0,
        approved=len(sheet.approved_directives) if sheet else 0,
        in_her_words=sum(d.edited_text is not None for d in sheet.approved_directives)
        if sheet
        else 0,
        for_a_model=sum(d.needs_model for d in sheet.approved_directives) if sheet else 0,
        selection=selection,
        directing=directing,
        model_judges=state.model_judges,
        model_summarizes=state.model_summarizes,
        begins=bool(checkpoint and (checkpoint.is_beginning or not (last or inflight))),
        in_steps=bool(checkpoint and checkpoint.is_in_steps and not state.is_for_later),
        trial_next=bool(checkpoint and checkpoint.is_trial_next),
        price=_price_beside_w(state),
    )
    return _with_differences(now, state)


def _price_beside_w(state: DeskState) -> str:
    """Returns about what w costs; that it is not known yet, until it was looked up."""
    if state.writing_price is not None:
        return translate(state.writing_price.brief)
    return _("being priced") if state.is_price_due else ""


def undecided_changes(current: CurrentChapter) -> list[FixOrProposal]:
    """Returns the directives and the proposals of a chapter that wait for the writer's word, but
    for the small changes, which are one row."""
    directives = current.sheet.directives if current.sheet else ()
    pending: list[FixOrProposal] = [d for d in directives if d.is_pending or d.is_doubtful]
    proposals = (p for p in current.proposals if p.is_open and not p.proposal.is_line_edit)
    return [*pending, *proposals]


def unanswered_choices(current: CurrentChapter) -> list[Counsel]:
    """Returns the choices of a chapter that only the writer can make and has not made."""
    return [one for one in current.counsel if one.waits]


def _with_differences(now: Situation, state: DeskState) -> Situation:
    """Adds the changes made by other programs to a situation, once they have been looked for."""
    differences = state.book.differences if state.book else None
    if differences is None:
        return now
    here = any(now.current in change.chapters for change in differences.plans)
    return now._replace(
        edited=bool(differences.edited_chapters),
        marked=here or any(change.whole_book for change in differences.plans),
        moved=bool(differences.places.moved or differences.places.missing),
    )
