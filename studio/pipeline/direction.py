"""The direction that waits for a chapter: what the writer wants of it, until she takes it back."""

from __future__ import annotations

from studio.project.commit.writing import writing
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint


def direction_in_force(checkpoint: Checkpoint) -> str:
    """Returns the direction for the next draft of the chapter in work, else of the next chapter."""
    waiting = checkpoint.waiting.direction if checkpoint.waiting else ""
    return waiting if checkpoint.inflight_chapter is None else checkpoint.direction


def take_back_direction(store: ProjectStore) -> str:
    """Takes the direction back and returns it; one that waits for another chapter stays.

    An interrupted commit is finished first: the chapter in work may be in the book by then.
    StudioError: 3 if another process writes the novel, 5 if the commit cannot be read.
    """
    with writing(store):
        checkpoint = store.checkpoint()
        before, number = direction_in_force(checkpoint), checkpoint.inflight_chapter
        waiting = checkpoint.waiting
        if number is None or (waiting is not None and waiting.chapter == number):
            waiting = None
        if before:
            store.save_checkpoint(checkpoint.updated(direction="", waiting=waiting))
        return before
