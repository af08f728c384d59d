"""The review's question in words: what waits, what is in the text, what of it does not help."""

from __future__ import annotations

from typing import Any

from studio.story.checkpoint import Decision
from studio.story.directive import Directive, DirectiveSheet, DirectiveStatus
from studio.story.proof import proposes_old_text, statement


def still_true(decision: Decision, sheet: DirectiveSheet, before: str, after: str) -> Decision:
    """The question that waits, after a decision on a directive: about the text `after` (sha256)
    where it was about `before`, and with what is open now."""
    return decision.model_copy(
        update={
            "id": decision.id.replace(f"-{before[:8]}", f"-{after[:8]}"),
            "rationale": rationale_of(sheet),
            "data": {**decision.data, **open_in(sheet)},
        }
    )


def open_in(sheet: DirectiveSheet) -> dict[str, Any]:
    """The ids of what is open, as the question's data."""
    return {
        "pending": _ids(sheet, DirectiveStatus.PENDING),
        "applied": _ids(sheet, DirectiveStatus.APPLIED),
        "unhelpful": [d.id for d in unhelpful(sheet)],
    }


def rationale_of(sheet: DirectiveSheet) -> str:
    """Why the writer is asked."""
    pending = len(_ids(sheet, DirectiveStatus.PENDING))
    applied = len(_ids(sheet, DirectiveStatus.APPLIED))
    told = []
    if pending:
        told.append(
            f"{_many(pending, 'directive waits', 'directives wait')} for your decision:"
            " accept, reject or edit each with `studio directives`, then `studio resume`."
        )
    if applied:
        told.append(
            f"{_many(applied, 'fix is', 'fixes are')} in the text: accept to keep"
            f" {'it' if applied == 1 else 'them'}, undo to take {'it' if applied == 1 else 'them'}"
            " back."
        )
    if worse := unhelpful(sheet):
        told.append(
            f"{_many(len(worse), 'of them does', 'of them do')} not help, and a commit takes"
            f" {'it' if len(worse) == 1 else 'them'} back unless you keep"
            f" {'it' if len(worse) == 1 else 'them'}: "
            + "; ".join(f"{d.id} ({statement(d)})" for d in worse)
            + "."
        )
    if sheet.redraft_suggested:
        told.append("There was more than fits one review; a fresh draft may serve better.")
    return " ".join(told) or "Nothing is open. Read the chapter, then commit it."


def unhelpful(sheet: DirectiveSheet) -> list[Directive]:
    """Fixes in the text that nobody kept yet and that did not help: not kept by default."""
    return [d for d in sheet.open if d.status is DirectiveStatus.APPLIED and proposes_old_text(d)]


def _ids(sheet: DirectiveSheet, status: DirectiveStatus) -> list[str]:
    return [d.id for d in sheet.open if d.status is status]


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"
