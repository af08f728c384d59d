"""The last chapter that a volume plans is in the book: plan more, or end the volume (seed D2, D5).

A writer who plans one chapter at a time, or not at all, is not asked: the question comes only if
the plan once reached beyond the chapter that was next.
"""

from __future__ import annotations

from studio.book.plans import last_planned
from studio.messages import said
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint, Decision

PLAN_MORE, END_VOLUME = "plan-more", "end-volume"
_CONSEQUENCES = {
    PLAN_MORE: said(
        "The volume goes on: `studio plan add` or its outline plans the next chapters."
    ),
    END_VOLUME: said(
        "The volume is over: `studio volume review` looks back on it, then the next one is planned."
    ),
}


def plan_reach(store: ProjectStore, checkpoint: Checkpoint, beyond: int) -> int:
    """Returns the last chapter the volume in work plans, if it lies beyond a chapter; else what
    the checkpoint remembers. StudioError (exit 5) if the outline cannot be read."""
    last = last_planned(store, checkpoint.current_volume)
    return last if last > beyond else checkpoint.planned_to


def end_question(store: ProjectStore, checkpoint: Checkpoint) -> Decision | None:
    """Returns the question to the writer when everything that was planned ahead is in the book."""
    last, volume = checkpoint.last_completed_chapter, checkpoint.current_volume
    if not checkpoint.planned_to or last_planned(store, volume) > last:
        return None
    return Decision(
        id=f"outline-{volume:02d}-{last:03d}",
        kind="outline",
        recommendation=END_VOLUME,
        options=(PLAN_MORE, END_VOLUME),
        rationale=said(
            "Chapter {last} was the last one planned in volume {volume}.", last=last, volume=volume
        ),
        data={"volume": volume, "chapter": last, "options": dict(_CONSEQUENCES)},
    )
