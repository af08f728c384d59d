"""The progress of chapters and directives in plain words, and the steps a directive allows.

A passage that changed since opens what was accepted again; one that is gone leaves nothing to do
with it but to put it aside. The engine, command line and app read this one table. Nothing else is
loaded here, so the app's first frame can use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from studio.i18n import N_


class PipelineStage(StrEnum):
    """How far the chapter in flight has come (DESIGN section 4)."""

    DRAFTING = "drafting"
    DRAFTED = "drafted"
    SUMMARIZED = "summarized"
    REFINED = "refined"
    JUDGED = "judged"
    GATED = "gated"
    REVISING = "revising"
    COMMITTING = "committing"
    COMMITTED = "committed"


class DirectiveStatus(StrEnum):
    """Where a directive stands between the oracle and the text."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EDITED = "edited"
    """Accepted with the writer's own instruction or text."""
    APPLIED = "applied"
    """In the text, waiting for the writer to keep or undo it."""
    KEPT = "kept"
    UNDONE = "undone"
    FAILED = "failed"
    WAIVED = "waived"


STATUS_WORDS: Mapping[DirectiveStatus, str] = {
    DirectiveStatus.PENDING: N_("waits for you"),
    DirectiveStatus.ACCEPTED: N_("taken, the surgeon is next"),
    DirectiveStatus.EDITED: N_("taken with your words"),
    DirectiveStatus.APPLIED: N_("in the text: keep it or undo it"),
    DirectiveStatus.KEPT: N_("kept"),
    DirectiveStatus.REJECTED: N_("not this"),
    DirectiveStatus.WAIVED: N_("you mean it that way"),
    DirectiveStatus.UNDONE: N_("taken back"),
    DirectiveStatus.FAILED: N_("the surgeon could not do it"),
}
"""How a directive stands, in the writer's words."""
WITHDRAWN = N_("taken back by the studio, and not by you")
OPEN_STATUSES = frozenset({DirectiveStatus.PENDING, DirectiveStatus.APPLIED})
"""The statuses that need the writer's attention."""
APPROVED_STATUSES = frozenset({DirectiveStatus.ACCEPTED, DirectiveStatus.EDITED})
"""The only statuses that the surgeon may work on."""
IN_TEXT_STATUSES = frozenset({DirectiveStatus.APPLIED, DirectiveStatus.KEPT})
"""The statuses whose fix is in the text."""

Stands = Literal["same", "changed", "gone"]
"""How a passage that a decision is about stands in the present text."""
DirectiveAction = Literal["accept", "reject", "edit", "undo"]
"""What a writer does with a directive."""
Acceptance = Literal["name", "batch", "mode"]
"""How a directive was accepted: by name, with the rest of its sheet, or by the review mode."""
ReviewMode = Literal["ask", "accept", "reject"]
"""Whether a run asks about directives, or what it does with all of them."""


DirectiveStep = DirectiveAction | Literal["retry", "waive", "lift"]
"""What a writer does with a directive: decides, has it tried again, waives it, lifts the waiver."""

_DECISIONS: Mapping[DirectiveStep, DirectiveStatus] = {
    "accept": DirectiveStatus.ACCEPTED,
    "reject": DirectiveStatus.REJECTED,
    "edit": DirectiveStatus.EDITED,
    "waive": DirectiveStatus.WAIVED,
}
_DECIDED: Mapping[DirectiveStep, DirectiveStatus] = {**_DECISIONS, "undo": DirectiveStatus.PENDING}

TRANSITIONS: Mapping[DirectiveStatus, Mapping[DirectiveStep, DirectiveStatus]] = {
    DirectiveStatus.PENDING: _DECISIONS,
    DirectiveStatus.ACCEPTED: _DECIDED,
    DirectiveStatus.EDITED: _DECIDED,
    DirectiveStatus.REJECTED: _DECIDED,
    DirectiveStatus.FAILED: {**_DECISIONS, "retry": DirectiveStatus.EDITED},
    DirectiveStatus.APPLIED: {
        "accept": DirectiveStatus.KEPT,
        "undo": DirectiveStatus.UNDONE,
        "retry": DirectiveStatus.EDITED,
    },
    DirectiveStatus.KEPT: {"undo": DirectiveStatus.UNDONE, "retry": DirectiveStatus.EDITED},
    DirectiveStatus.UNDONE: {
        "accept": DirectiveStatus.KEPT,
        "edit": DirectiveStatus.EDITED,
        "retry": DirectiveStatus.EDITED,
        "waive": DirectiveStatus.WAIVED,
    },
    DirectiveStatus.WAIVED: {"waive": DirectiveStatus.WAIVED, "lift": DirectiveStatus.PENDING},
}
"""The allowed steps of each status, and the status that each step leads to."""

ALL_MEANS: Mapping[DirectiveAction, frozenset[DirectiveStatus]] = {
    "accept": frozenset({DirectiveStatus.PENDING, DirectiveStatus.APPLIED}),
    "reject": frozenset({DirectiveStatus.PENDING}),
    "edit": frozenset({DirectiveStatus.PENDING}),
    "undo": IN_TEXT_STATUSES,
}
"""The directives that a decision on all of them concerns: fewer than it could concern, so nothing
that the writer decided by name is decided again."""


_WITHOUT_A_PASSAGE: frozenset[DirectiveStep] = frozenset({"reject", "waive", "lift"})
"""What can still be done with a proposal whose passage is gone."""


def after(
    status: DirectiveStatus, step: DirectiveStep, stands: Stands = "same"
) -> DirectiveStatus | None:
    """Returns the status that a step leads to; None if it is not allowed."""
    if stands == "gone" and step not in _WITHOUT_A_PASSAGE:
        return None
    if stands != "same" and step == "accept" and status is DirectiveStatus.UNDONE:
        return None  # its words are paid for, and belong in the passage as it was
    if stands == "changed" and step == "accept" and status in APPROVED_STATUSES:
        return status  # the same decision, for the words there are now
    return TRANSITIONS[status].get(step)


def allows(status: DirectiveStatus | None, step: DirectiveStep, stands: Stands = "same") -> bool:
    """Whether a directive of that status allows that step; without a directive, never."""
    return status is not None and after(status, step, stands) is not None
