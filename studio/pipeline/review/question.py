"""The review's question in words: what waits, what is in the text, what of it does not help.

While anything is open the question recommends to decide on that first, so that no answer given
by default passes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from studio.story.checkpoint import DIRECTIVES, Decision
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveStatus
from studio.text.oracle.fix_effect import goes_back, proposes_old_text, statement

COMMIT = "commit"
_CONSEQUENCES = {
    DIRECTIVES: "Decide on each that is open first; nothing goes into the book meanwhile.",
    "edit": "Change the staged text yourself, then resume.",
    "draft-again": "Draft the chapter again; this text is kept as a variation.",
    "look-again": "Measure this text anew and let the judge read it again; more may be proposed.",
}


def options_of(sheet: DirectiveSheet, others: Iterable[str]) -> dict[str, Any]:
    """Options, recommendation and consequences of the review; `others` come behind the commit."""
    first = (DIRECTIVES,) if sheet.open or sheet.approved else ()
    options = (*first, COMMIT, *others)
    words = {**_CONSEQUENCES, COMMIT: _committing(sheet)}
    return {
        "recommendation": options[0],
        "options": options,
        "consequences": {name: words[name] for name in options},
    }


def still_true(decision: Decision, sheet: DirectiveSheet, before: str, after: str) -> Decision:
    """The question that waits, after a decision on a directive: about the text `after` (sha256)
    where it was about `before`, and with what is open now."""
    put = options_of(sheet, (o for o in decision.options if o not in (DIRECTIVES, COMMIT)))
    return decision.model_copy(
        update={
            "id": decision.id.replace(f"-{before[:8]}", f"-{after[:8]}"),
            "recommendation": put["recommendation"],
            "options": put["options"],
            "rationale": " ".join([rationale_of(sheet), *_of_promises(decision)]),
            "data": {**decision.data, **open_in(sheet), "options": put["consequences"]},
        }
    )


def _of_promises(decision: Decision) -> Sequence[str]:
    """What the question says of promises: no decision on a directive changes it."""
    sentences: Sequence[str] = decision.data.get("promises", {}).get("sentences", ())
    return sentences


def open_in(sheet: DirectiveSheet) -> dict[str, Any]:
    """The ids of what is open, as the question's data."""
    return {
        "pending": _ids(_with(sheet, DirectiveStatus.PENDING)),
        "applied": _ids(_with(sheet, DirectiveStatus.APPLIED)),
        "unhelpful": _ids(going_back(sheet)),
    }


def rationale_of(sheet: DirectiveSheet) -> str:
    """Why the writer is asked."""
    pending = len(_with(sheet, DirectiveStatus.PENDING))
    applied = len(_with(sheet, DirectiveStatus.APPLIED))
    approved = len(sheet.approved)
    sentences = []
    if pending:
        sentences.append(
            f"{_many(pending, 'directive waits', 'directives wait')} for your decision:"
            " accept, reject or edit each with `studio directives`, then `studio resume`."
        )
    if approved:
        sentences.append(
            f"{_many(approved, 'waits', 'wait')} for the surgeon: `studio resume` lets it work."
        )
    if applied:
        sentences.append(
            f"{_many(applied, 'fix is', 'fixes are')} in the text: accept to keep"
            f" {_it(applied)}, undo to take {_it(applied)} back."
        )
    sentences += _measured_worse(sheet)
    if sheet.redraft_suggested:
        sentences.append("There was more than fits one review; a fresh draft may serve better.")
    return " ".join(sentences) or "Nothing is open. Read the chapter, then commit it."


def _measured_worse(sheet: DirectiveSheet) -> list[str]:
    back, stays = going_back(sheet), _staying(sheet)
    sentences = []
    if back:
        sentences.append(
            f"{_many(len(back), 'of them does', 'of them do')} not help, and a commit takes"
            f" {_it(len(back))} back unless you keep {_it(len(back))}: {_with_statements(back)}."
        )
    if stays:
        sentences.append(
            f"{_many(len(stays), 'fix', 'fixes')} you accepted yourself"
            f" {'stays' if len(stays) == 1 else 'stay'} though a number speaks for the old text;"
            f" undo takes {_it(len(stays))} back: {_with_statements(stays)}."
        )
    return sentences


def going_back(sheet: DirectiveSheet) -> list[Directive]:
    """Fixes that a commit takes out of the text again, because nobody kept or named them and
    they did not help."""
    return [d for d in _with(sheet, DirectiveStatus.APPLIED) if goes_back(d)]


def _staying(sheet: DirectiveSheet) -> list[Directive]:
    """Fixes that stay though the measures speak for the old text."""
    applied = _with(sheet, DirectiveStatus.APPLIED)
    return [d for d in applied if proposes_old_text(d) and not goes_back(d)]


def _committing(sheet: DirectiveSheet) -> str:
    """What a commit does with what is open."""
    pending = len(_with(sheet, DirectiveStatus.PENDING))
    back = len(going_back(sheet))
    fixes = len(_with(sheet, DirectiveStatus.APPLIED)) - back
    parts = ["Take the chapter into the book as it stands"]
    if pending:
        parts.append(f"{_many(pending, 'directive is', 'directives are')} left alone, undecided")
    if fixes:
        parts.append(f"{_many(fixes, 'fix in the text stays', 'fixes in the text stay')}")
    if back:
        parts.append(
            f"{_many(back, 'fix that did', 'fixes that did')} not help"
            f" {'goes' if back == 1 else 'go'} back"
        )
    return "; ".join(parts) + "."


def _with(sheet: DirectiveSheet, status: DirectiveStatus) -> list[Directive]:
    return [d for d in sheet.directives if d.status is status]


def _ids(directives: Sequence[Directive]) -> list[str]:
    return [d.id for d in directives]


def _with_statements(directives: Sequence[Directive]) -> str:
    return "; ".join(f"{d.id} ({statement(d)})" for d in directives)


def _it(count: int) -> str:
    return "it" if count == 1 else "them"


def _many(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"
