"""The allowed steps of a directive by its status, and the status each leads to.

A passage that changed since opens what was accepted again; one that is gone leaves nothing to do
with it but to put it aside. The engine, command line and app read this one table. It imports
nothing but plain words, so the app's first frame can use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from studio.story.status import (
    APPROVED_STATUSES,
    IN_TEXT_STATUSES,
    DirectiveAction,
    DirectiveStatus,
    Stands,
)

Step = DirectiveAction | Literal["retry", "waive", "lift"]
"""What a writer does with a directive: decides, has it tried again, waives it, lifts the waiver."""

_DECISIONS: Mapping[Step, DirectiveStatus] = {
    "accept": DirectiveStatus.ACCEPTED,
    "reject": DirectiveStatus.REJECTED,
    "edit": DirectiveStatus.EDITED,
    "waive": DirectiveStatus.WAIVED,
}
_DECIDED: Mapping[Step, DirectiveStatus] = {**_DECISIONS, "undo": DirectiveStatus.PENDING}

TRANSITIONS: Mapping[DirectiveStatus, Mapping[Step, DirectiveStatus]] = {
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


_WITHOUT_A_PASSAGE: frozenset[Step] = frozenset({"reject", "waive", "lift"})
"""What can still be done with a proposal whose passage is gone."""


def after(status: DirectiveStatus, step: Step, stands: Stands = "same") -> DirectiveStatus | None:
    """Returns the status that a step leads to; None if it is not allowed."""
    if stands == "gone" and step not in _WITHOUT_A_PASSAGE:
        return None
    if stands == "changed" and step == "accept" and status in APPROVED_STATUSES:
        return status  # the same decision, for the words there are now
    return TRANSITIONS[status].get(step)


def allows(status: DirectiveStatus | None, step: Step, stands: Stands = "same") -> bool:
    """Whether a directive of that status allows that step; without a directive, never."""
    return status is not None and after(status, step, stands) is not None
