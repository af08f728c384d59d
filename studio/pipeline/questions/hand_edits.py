"""What to do about committed chapters that were since changed by hand.

Every run compares all committed chapters with what was committed; what differs is the writer's to
explain before anything is built on it. She is asked once about all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from studio.errors import StudioError, damaged
from studio.messages import Said, join, numbers_in_runs, said
from studio.pipeline.events import Emitter
from studio.project.commit.new_wording import accept_edit
from studio.project.commit.versions import changes_by_studio
from studio.project.files.other_hands import open_merge_in
from studio.project.lock.lock import ProjectLock
from studio.project.store import Edited, ProjectStore
from studio.project.watch.cached_hashes import WatchedStore, recall_hashes, remember_hashes
from studio.project.watch.moved_chapters import Whereabouts, whereabouts
from studio.story.chapter import sha256_of
from studio.story.checkpoint import Checkpoint, Decision

STYLE, MEANING, LATER = "style", "meaning", "later"
OPTIONS = (STYLE, MEANING, LATER)
_CONSEQUENCES = {
    STYLE: said("The events are the same: summary and story state stay as they are."),
    MEANING: said("The events changed: the story's state is rebuilt from the new text first."),
    LATER: said("Go on without looking at it; you will be asked again."),
}


def settle(
    store: ProjectStore, lock: ProjectLock, in_work: int | None, read: Sequence[int], emit: Emitter
) -> Decision | tuple[int, ...]:
    """Compares all committed chapters with their files, except the one in work, and carries out
    what the writer answered.

    Returns a Decision to put to her, or the chapters to rebuild, ascending; none if all is well.
    Raises StudioError (exit 5) for a chapter that the run reads (`read`) and that is gone, empty,
    or no longer text: then there is nothing to decide. Such a chapter further back is named.
    """
    watched = WatchedStore(store.layout.folder)
    recall_hashes(watched.root)
    compared = watched.compare()
    remember_hashes(watched.root)
    for number in compared.respelled:
        if number != in_work:
            accept_edit(store, lock, number)
    edits = [edit for edit in compared.edited if edit.chapter != in_work]
    if not edits:
        return ()
    places = whereabouts(watched)
    at_their_places = [e for e in edits if _stands_at_its_place(store, e, places, read, emit)]
    checkpoint = _answered_one_by_one(store, at_their_places)
    answers = {e.chapter: checkpoint.answer_to(_id_of([e])) for e in at_their_places}
    unexplained = [edit for edit in at_their_places if answers[edit.chapter] is None]
    if unexplained:
        return question_about(store, unexplained)
    options = {chapter: answer.option for chapter, answer in answers.items() if answer}
    for chapter, option in options.items():
        if option == STYLE:
            accept_edit(store, lock, chapter)
    if postponed := [chapter for chapter, option in options.items() if option == LATER]:
        emit.warn(_which_changed(store, postponed))
    return tuple(chapter for chapter, option in sorted(options.items()) if option == MEANING)


def name_edits(store: ProjectStore, emit: Emitter, before: int | None = None) -> None:
    """Warns of the committed chapters that were changed by hand and not explained yet, where
    something is made of the story that asks nothing: all of them, or those before a chapter."""
    watched = WatchedStore(store.layout.folder)
    recall_hashes(watched.root)
    edits = watched.compare().edited
    remember_hashes(watched.root)
    if numbers := [e.chapter for e in edits if before is None or e.chapter < before]:
        emit.warn(_which_changed(store, numbers))


def forget_answers(store: ProjectStore, chapters: Sequence[int]) -> None:
    """Forgets what was answered about these chapters, so that it is asked again."""
    checkpoint = store.checkpoint()
    abouts = tuple(f"hand_edit-{chapter:03d}-" for chapter in chapters)
    answers = tuple(answer for answer in checkpoint.answers if not answer.id.startswith(abouts))
    store.save_checkpoint(checkpoint.copy_with(answers=answers))


def _answered_one_by_one(store: ProjectStore, edits: Sequence[Edited]) -> Checkpoint:
    """Turns an answer about several chapters into one about each, so that it still counts for the
    rest if the run is killed between them."""
    checkpoint = store.checkpoint()
    unexplained = [edit for edit in edits if checkpoint.answer_to(_id_of([edit])) is None]
    answer = checkpoint.answer_to(_id_of(unexplained)) if len(unexplained) > 1 else None
    if answer is not None:
        each = (answer.copy_with(id=_id_of([edit])) for edit in unexplained)
        others = (other for other in checkpoint.answers if other.id != answer.id)
        checkpoint = checkpoint.copy_with(answers=(*others, *each))
        store.save_checkpoint(checkpoint)
    return checkpoint


def _stands_at_its_place(
    store: ProjectStore, edited: Edited, now: Whereabouts, read: Sequence[int], emit: Emitter
) -> bool:
    """Whether a changed chapter is where it was and holds prose. One that is not is damage if the
    run reads it (StudioError, exit 5), and is otherwise named."""
    try:
        _check_place(store, edited, now)
    except StudioError as damage:
        if edited.chapter in read:
            raise
        emit.warn(str(damage.problem))
        return False
    return True


def _check_place(store: ProjectStore, edited: Edited, now: Whereabouts) -> None:
    if edited.chapter in now.moved or edited.chapter in now.doubled:
        raise damaged(
            said(
                "Chapter {chapter} is not where it was. {explanation}",
                chapter=edited.chapter,
                explanation=join(now.sentences),
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


def question_about(store: ProjectStore, edits: Sequence[Edited]) -> Decision:
    """Returns the question whether edits changed the style or the events; its id includes the
    texts it is about."""
    first = edits[0]
    return Decision(
        id=_id_of(edits),
        kind="hand_edit",
        recommendation="",
        options=OPTIONS,
        rationale=_which_changed(store, [edit.chapter for edit in edits]),
        data={
            "chapter": first.chapter,
            "committed_sha256": first.committed_sha256,
            "found_sha256": first.found_sha256,
            "chapters": [
                {
                    "chapter": edit.chapter,
                    "committed_sha256": edit.committed_sha256,
                    "found_sha256": edit.found_sha256,
                }
                for edit in edits
            ],
            "options": _CONSEQUENCES,
        },
    )


def chapters_asked_about(question: Decision) -> tuple[int, ...]:
    """Returns the chapters that a question about hand edits is about; none for another question."""
    rows = question.data.get("chapters") if question.kind == "hand_edit" else None
    return tuple(row["chapter"] for row in rows or () if isinstance(row, dict))


def _id_of(edits: Sequence[Edited]) -> str:
    if len(edits) == 1:
        sha256 = edits[0].found_sha256 or ""
    else:
        sha256 = sha256_of(" ".join(f"{edit.chapter} {edit.found_sha256}" for edit in edits))
    return f"hand_edit-{edits[0].chapter:03d}-{sha256[:8]}" if edits else ""


def _which_changed(store: ProjectStore, chapters: Sequence[int]) -> str:
    """Says which chapters hold an earlier version that was brought back, or no longer a fix, and
    which were changed."""
    back, fixes = changes_by_studio(store, chapters)
    changed = [number for number in chapters if number not in (*back, *fixes)]
    theirs = [_is_changed(changed)] if changed else []
    return join([*map(_is_back, back), *map(_is_without_fix, fixes), *theirs])


def _is_back(chapter: int) -> Said:
    return said(
        "An earlier version of chapter {chapter} was brought back since it went into the book.",
        chapter=chapter,
    )


def _is_without_fix(chapter: int) -> Said:
    return said(
        "A fix in chapter {chapter} was taken back since it went into the book.", chapter=chapter
    )


def _is_changed(chapters: Sequence[int]) -> Said:
    if len(chapters) == 1:
        return said(
            "Chapter {chapter} was changed by hand since it went into the book.",
            chapter=chapters[0],
        )
    return said(
        "Chapters {numbers} were changed by hand since they went into the book.",
        numbers=numbers_in_runs(chapters),
    )
