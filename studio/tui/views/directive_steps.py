"""What the step of a directive looks at; its tables are loaded with the first one that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studio.story.review.transitions import Step
    from studio.story.status import DirectiveStatus


def is_in_text(status: DirectiveStatus | None) -> bool:
    """Whether the fix of a directive of that status is in the text."""
    from studio.story.status import IN_TEXT_STATUSES

    return status in IN_TEXT_STATUSES


def allows(status: DirectiveStatus | None, step: Step) -> bool:
    """Whether a directive of that status can take that step."""
    from studio.story.review import transitions

    return transitions.allows(status, step)
