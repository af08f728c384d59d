"""What can be done with a directive, by where it stands, and where that leads.

Engine, command line and app read this one table. It loads nothing but plain
words, so that the app's first frame may ask it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from studio.story.status import IN_TEXT_STATUSES, DirectiveAction, DirectiveStatus

Step = DirectiveAction | Literal["retry", "waive", "lift"]
"""What a writer does with a directive: decides, lets the surgeon try again, waives it as meant,
lifts that waiver."""

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
    DirectiveStatus.STALE: {"reject": DirectiveStatus.REJECTED, "waive": DirectiveStatus.WAIVED},
    DirectiveStatus.WAIVED: {"waive": DirectiveStatus.WAIVED, "lift": DirectiveStatus.PENDING},
}
"""For each status the steps it allows, and the status each of them leads to."""

ALL_MEANS: Mapping[DirectiveAction, frozenset[DirectiveStatus]] = {
    "accept": frozenset({DirectiveStatus.PENDING, DirectiveStatus.APPLIED}),
    "reject": frozenset({DirectiveStatus.PENDING}),
    "edit": frozenset({DirectiveStatus.PENDING}),
    "undo": IN_TEXT_STATUSES,
}
"""Which directives a decision on all of them is about: narrower than what it could be about, so
that nothing the writer decided by name is decided anew."""


def allows(status: DirectiveStatus | None, step: Step) -> bool:
    """Whether a directive of that status can take that step; without a directive, never."""
    return status is not None and step in TRANSITIONS[status]
