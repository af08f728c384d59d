"""The direction that waits for a chapter: what the writer wants of it, until she takes it back."""

from __future__ import annotations

from studio.errors import none_if_damaged
from studio.project.commit.writing import hold_for_writing
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint, PipelineStage, WaitingOrder
from studio.text.language.packs import LanguagePack


def direction_in_force(checkpoint: Checkpoint) -> str:
    """Returns the direction for the next draft of the chapter in work, else of the next chapter."""
    following = checkpoint.last_completed_chapter + 1
    is_between = checkpoint.inflight_chapter is None
    return checkpoint.order_for(following).words if is_between else checkpoint.direction


_AS_THE_NEXT = "Wanted of this chapter when the one before was reviewed"


def order_told(order: WaitingOrder, pack: LanguagePack) -> str:
    """Returns all that whoever plans, writes and judges a chapter is told of what waits for it. Her
    answers in the review of the one before call it the next one."""
    answers = " ".join(order.answers)
    rows = (order.direction, answers and pack.labelled(_AS_THE_NEXT, answers))
    return "\n".join(filter(None, rows))


def direction_told(store: ProjectStore, chapter: int, pack: LanguagePack) -> str:
    """Returns the direction with which a chapter that is not in work begins: what waits for it,
    else, of one in the book, that with which it came into it."""
    words = order_told(store.checkpoint().order_for(chapter), pack)
    in_book = None if words else none_if_damaged(lambda: store.evaluation(chapter))
    return words if in_book is None else in_book.direction


def is_used(checkpoint: Checkpoint) -> bool:
    """Whether the chapter in work was drafted with its direction: what is left of it then is for a
    draft that may never come."""
    drafting = checkpoint.pipeline_stage in (None, PipelineStage.DRAFTING)
    return checkpoint.inflight_chapter is not None and not drafting


def keep_direction(store: ProjectStore, words: str) -> None:
    """Keeps a direction with its chapter: the one in work, else the next, for which it waits.

    StudioError: as `take_back_direction`.
    """
    with hold_for_writing(store):
        checkpoint = store.checkpoint()
        if direction_in_force(checkpoint) == words:
            return
        if checkpoint.inflight_chapter is not None:
            store.save_checkpoint(checkpoint.copy_with(direction=words))
            return
        order = checkpoint.order_for(checkpoint.last_completed_chapter + 1)
        answers = tuple(answer for answer in order.answers if answer in words)
        for answer in answers:  # what she left of them is no word of the direction
            words = words.replace(answer, "", 1)
        words = "\n".join(filter(None, map(str.strip, words.splitlines())))
        store.save_checkpoint(
            checkpoint.with_order(order.copy_with(direction=words, answers=answers))
        )


def keep_wish(store: ProjectStore, chapter: int, wish: str) -> str:
    """Adds a wish about the plan of a chapter, which the plan has not, to the direction of the
    chapter: the one in work, or the next. Returns what was added; empty for another chapter, or
    where the direction says it already.

    StudioError: as `take_back_direction`.
    """
    checkpoint = store.checkpoint()
    its_turn = checkpoint.inflight_chapter or checkpoint.last_completed_chapter + 1
    before = direction_in_force(checkpoint)
    there = before.splitlines()
    lines = [line for line in wish.splitlines() if line.strip() and line not in there]
    if chapter != its_turn or not lines:
        return ""
    keep_direction(store, "\n".join(filter(None, (before, *lines))))
    return "\n".join(lines)


def take_back_direction(store: ProjectStore) -> str:
    """Takes the direction back and returns it; one that waits for another chapter stays.

    An interrupted commit is finished first: the chapter in work may be in the book by then.
    StudioError: 3 if another process writes the novel, 5 if the commit cannot be read.
    """
    with hold_for_writing(store):
        checkpoint = store.checkpoint()
        before = direction_in_force(checkpoint)
        number = checkpoint.inflight_chapter or checkpoint.last_completed_chapter + 1
        if before:
            store.save_checkpoint(checkpoint.without_order(number).copy_with(direction=""))
        return before
