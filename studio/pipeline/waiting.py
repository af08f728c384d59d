"""What the writer asked for, kept while a question about an earlier chapter comes first."""

from __future__ import annotations

from dataclasses import dataclass

from studio.pipeline.events import Emitter
from studio.pipeline.opening import Target
from studio.project.imports import put_waiting, waiting_draft
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint, WaitingOrder
from studio.story.standing import ReviewMode


@dataclass(frozen=True, slots=True)
class Order:
    """What the writer asked for."""

    chapter: int | None = None
    review: ReviewMode = "ask"
    direction: str = ""
    draft: str | None = None
    """The text of the author's own chapter."""
    again: bool = False


def remember_order(
    store: ProjectStore, checkpoint: Checkpoint, target: Target, order: Order, emit: Emitter
) -> None:
    """Keeps the direction and the draft of a chapter that cannot begin before an answer.

    The direction waits in the checkpoint, the draft as an imported one does;
    both are taken when the chapter begins. For a chapter in work already the
    writer is told to give the draft again.
    """
    if order.direction:
        wish = WaitingOrder(chapter=target.chapter, direction=order.direction)
        store.save_checkpoint(checkpoint.updated(waiting=wish))
    if order.draft is None:
        return
    path = store.layout.imported(target.chapter)
    found = waiting_draft(store.layout, target.chapter)
    if found is not None and found.text == order.draft:
        return
    if target.purpose != "begin" or found is not None:
        emit.warn("Answer first, then give your draft again with --draft.")
        return
    put_waiting(store.layout, target.chapter, order.draft)
    emit.warn(f"Your draft waits in {path}; it is taken when chapter {target.chapter} begins.")


def waiting_direction(checkpoint: Checkpoint, chapter: int) -> str:
    """The wish that was kept for a chapter, or nothing."""
    waiting = checkpoint.waiting
    return waiting.direction if waiting is not None and waiting.chapter == chapter else ""


def still_waiting(checkpoint: Checkpoint, chapter: int) -> WaitingOrder | None:
    """What goes on waiting when `chapter` begins."""
    waiting = checkpoint.waiting
    return None if waiting is not None and waiting.chapter == chapter else waiting
