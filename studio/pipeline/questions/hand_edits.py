"""What to do about a committed chapter that was since changed by hand.

`write` compares every committed chapter it reads with what was committed; a mismatch is the
writer's to explain before anything is built on it.
"""

from __future__ import annotations

from studio.errors import damaged
from studio.messages import join, said
from studio.project.commit.hand_edit import accept_edit
from studio.project.files.other_hands import open_merge_in
from studio.project.lock.lock import ProjectLock
from studio.project.store import Edited, ProjectStore
from studio.project.watch.moved_chapters import whereabouts
from studio.story.checkpoint import Checkpoint, Decision

_CONSEQUENCES = {
    "style": said("The events are the same: summary and story state stay as they are."),
    "meaning": said(
        "The events changed: the chapter is summarized, judged and reviewed again first."
    ),
    "later": said("Go on without looking at it; you will be asked again."),
}


def settle(
    store: ProjectStore, lock: ProjectLock, checkpoint: Checkpoint, read: list[int]
) -> Decision | int | None:
    """Checks the committed chapters this run reads.

    Returns None when all is well or the writer's answer has been carried out; a Decision to put to
    her; or the number of a chapter to review again first. Raises StudioError (exit 5) for a chapter
    that is gone, empty, or no longer text: then there is nothing to decide.
    """
    for number in store.respelled(read):
        accept_edit(store, lock, number)
    for edited in store.hand_edits(read):
        _stands_at_its_place(store, edited)
        decision = question_about(edited, checkpoint)
        answer = checkpoint.answer_to(decision.id)
        option = answer.option if answer else None
        if option is None:
            return decision
        if option == "style":
            accept_edit(store, lock, edited.chapter)
        elif option == "meaning":
            return edited.chapter
    return None


def _stands_at_its_place(store: ProjectStore, edited: Edited) -> None:
    now = whereabouts(store)
    explanation = join(now.sentences)
    if edited.chapter in now.moved or edited.chapter in now.doubled:
        raise damaged(
            said(
                "Chapter {chapter} is not where it was. {explanation}",
                chapter=edited.chapter,
                explanation=explanation,
            ),
            said("`studio history put-back` returns every chapter to its place."),
        )
    chapter = store.chapter(edited.chapter)
    if chapter and (merge := open_merge_in(store.layout.chapter(edited.chapter), chapter.text)):
        raise damaged(merge, said("Choose one of the two texts there and remove the markers."))
    if chapter is None or not chapter.paragraphs:
        what = said("the file is gone") if chapter is None else said("no longer holds any prose")
        raise damaged(
            said(
                "{path} is in the book, but {what}.",
                path=store.layout.chapter(edited.chapter),
                what=what,
            ),
            said(
                "`studio history restore {chapter}` brings it back; `studio write {chapter2} "
                "--again --draft FILE` puts another text there.",
                chapter=edited.chapter,
                chapter2=edited.chapter,
            ),
        )


def question_about(edited: Edited, checkpoint: Checkpoint) -> Decision:
    """Returns the question whether an edit changed the style or the events; its id includes the
    text it is about."""
    busy = checkpoint.inflight_chapter is not None
    options = ("style", "later") if busy else ("style", "meaning", "later")
    file_sha256 = edited.found_sha256 or ""
    return Decision(
        id=f"hand_edit-{edited.chapter:03d}-{file_sha256[:8]}",
        kind="hand_edit",
        recommendation="style" if busy else "meaning",
        options=options,
        rationale=said(
            "Chapter {chapter} was changed by hand since it went into the book.",
            chapter=edited.chapter,
        ),
        data={
            "chapter": edited.chapter,
            "committed_sha256": edited.committed_sha256,
            "found_sha256": edited.found_sha256,
            "options": {name: _CONSEQUENCES[name] for name in options},
        },
    )
