"""The progress of chapters and directives in plain words, without loading anything else."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal


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
