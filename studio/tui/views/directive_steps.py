"""Queries about the status of a directive; the tables are imported when the first one is
displayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studio.story.status import DirectiveStatus, Stands, Step


def is_in_text(status: DirectiveStatus | None) -> bool:
    """Whether the fix of a directive with this status is in the text."""
    from studio.story.status import IN_TEXT_STATUSES

    return status in IN_TEXT_STATUSES


def allows(status: DirectiveStatus | None, step: Step, stands: Stands) -> bool:
    """Whether a directive with this status can take this step, as its passage stands."""
    from studio.story import status as statuses

    return statuses.allows(status, step, stands)
