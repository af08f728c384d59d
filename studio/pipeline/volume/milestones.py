"""What is due between two chapters of the book, once each, even after a crash (D4, D5).

A chapter's commit does not wait for any of this: the chapter is in the book first. What was done is
recorded in the checkpoint (`briefed`, `checked`, `planned_to`), in the same write as the question
that it led to, so a run that was killed in between makes up for it before the next chapter begins.
"""

from __future__ import annotations

from studio.errors import StudioError
from studio.i18n import Language
from studio.messages import said
from studio.pipeline.beginning import steps
from studio.pipeline.events import BriefEvent, CheckEvent, DecisionMade, DecisionRequired, Emitter
from studio.pipeline.volume import chapters_check, clean_up, outline_proposal
from studio.pipeline.volume.brief import EVERY, brief_of, question_of
from studio.pipeline.volume.close import END_VOLUME, PLAN_MORE, end_question, plan_reach
from studio.pipeline.volume.left_out import after_answer, other_put_by, step_of
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint, Decision, Trigger, move
from studio.story.status import ReviewMode
from studio.text.language.packs import LanguagePack

BY_A_RUN = "c"
"""The first letter in the id of a commit made by a run; an import asks no question."""


def between_chapters(
    store: ProjectStore, pack: LanguagePack, review: ReviewMode, emit: Emitter, puts_by: str = ""
) -> Decision | None:
    """Does what is due after the last chapter and returns the question that a person has to answer
    first; a proposal whose question she `puts_by`, by its id, waits instead.

    While a chapter is in work nothing is due. What cannot be made because a file cannot be read
    becomes a warning and is tried again after the next chapter.
    """
    checkpoint = store.checkpoint()
    if checkpoint.inflight_chapter is not None:
        return None
    pending = checkpoint.pending_decision
    try:
        if pending is not None and chapters_check.is_about_a_check(pending):
            question = chapters_check.looked_at_again(store, pack, pending)
            return _put(store, checkpoint, question, review, emit)
        is_for_later = pending is not None and pending.id == puts_by and step_of(pending)
        if pending is not None and (pending.kind == "start" or is_for_later):
            checkpoint = other_put_by(checkpoint, "").copy_with(pending_decision=None)
            checkpoint = store.save_checkpoint(checkpoint)
        elif pending is not None and pending.between_chapters:
            return _put(store, checkpoint, pending, review, emit)
        return (
            _brief(store, checkpoint, review, emit)
            or _check(store, pack, review, emit)
            or _end(store, review, emit)
        )
    except StudioError as error:
        emit.warn(said("What is due between two chapters has to wait. {why}", why=error.problem))
        return None


def is_due(store: ProjectStore) -> bool:
    """Whether a run does any of this, or asks again what waits for an answer, before the next
    chapter begins, so that it needs no plan of that chapter yet. Writes nothing. StudioError 5 for
    a file that cannot be read."""
    checkpoint = store.checkpoint()
    if checkpoint.inflight_chapter is not None:
        return False
    pending = checkpoint.pending_decision
    may_wait = pending is not None and (pending.kind == "start" or step_of(pending))
    if pending is not None and pending.between_chapters and not may_wait:
        return True
    return (
        _is_brief_due(store, checkpoint)
        or _is_check_due(store, checkpoint)
        or _end_of(store, checkpoint) is not None
    )


def take_answer(checkpoint: Checkpoint, question: Decision, option: str) -> Checkpoint:
    """Returns the checkpoint after the answer to a question between two chapters."""
    checkpoint = after_answer(checkpoint, question, option).copy_with(pending_decision=None)
    is_opened = bool(question.data.get(steps.OPENED))  # the book has gone on meanwhile
    trigger = None if is_opened else _LEADS_TO.get((question.kind, option))
    return checkpoint if trigger is None else move(checkpoint, trigger)


def settle(
    store: ProjectStore,
    lock: ProjectLock,
    question: Decision,
    option: str,
    note: str,
    language: Language,
) -> None:
    """Carries out the writer's answer to a question between two chapters, in one change with the
    answer where files of hers change with it.

    StudioError 2 if the note has to name what is chosen and does not; 5 for damaged files.
    """
    if question.kind == "clean_up":
        clean_up.carry_out(store, lock, question, option, note)
    elif (question.kind, option) == ("outline", outline_proposal.ACCEPT):
        after = take_answer(store.checkpoint(), question, option)
        if hers := question.data.get(steps.HERS):
            left_out = {key: "" for key, text in hers.items() if not text}
            question = outline_proposal.with_words(store, question, left_out, language)
        outline_proposal.carry_out(store, lock, question, note, after)
        return
    elif (question.kind, option) == ("outline", steps.AGAIN):
        pieces = outline_proposal.shown_pieces(question)
        steps.ask_otherwise(store, question, pieces, note, {})
        return
    elif question.kind == "start":
        after = after_answer(store.checkpoint(), question, option)
        steps.carry_out(store, lock, question, option, note, language, after)
        return
    elif question.kind == "continuity":
        chapters_check.carry_out(store, question, option, note)
    store.save_checkpoint(_after(store, store.checkpoint(), question, option))


def _after(
    store: ProjectStore, checkpoint: Checkpoint, question: Decision, option: str
) -> Checkpoint:
    """Returns the checkpoint after an answer; in the next volume, where a volume was looked back
    on and the next one is planned."""
    checkpoint = take_answer(checkpoint, question, option)
    if question.kind == "clean_up":
        return outline_proposal.enter_planned_volume(store, checkpoint)
    return checkpoint


_LEADS_TO = {
    **{("brief", option): Trigger.BRIEF for option in ("go-on", "look-back", "adjust")},
    ("outline", PLAN_MORE): Trigger.PLAN_MORE,
    ("outline", END_VOLUME): Trigger.END_VOLUME,
    ("outline", outline_proposal.ACCEPT): Trigger.OUTLINE,
    **{("clean_up", option): Trigger.REVIEWED for option in ("accept", "choose", "leave")},
}
"""The trigger of each answer; the answer to a check has none, and a step of the beginning moves
the book's state itself."""
_GOES_ON = {"brief": "go-on", "outline": PLAN_MORE, "clean_up": clean_up.LEAVE}
"""The answer taken in a run that asks nobody."""


def _brief(
    store: ProjectStore, checkpoint: Checkpoint, review: ReviewMode, emit: Emitter
) -> Decision | None:
    last = checkpoint.last_completed_chapter
    if not _is_brief_due(store, checkpoint):
        return None
    brief = brief_of(store, last)
    checkpoint = checkpoint.copy_with(briefed=(*checkpoint.briefed, last))
    decision = _put(store, checkpoint, question_of(brief), review, emit)
    emit(BriefEvent(brief=brief.model_dump(mode="json")))
    return decision


def _is_brief_due(store: ProjectStore, checkpoint: Checkpoint) -> bool:
    last = checkpoint.last_completed_chapter
    return last not in checkpoint.briefed and _falls_due(store, last, EVERY)


def _is_check_due(store: ProjectStore, checkpoint: Checkpoint) -> bool:
    last = checkpoint.last_completed_chapter
    return last not in checkpoint.checked and _falls_due(store, last, chapters_check.EVERY)


def _falls_due(store: ProjectStore, last: int, every: int) -> bool:
    """Whether something is due after the last chapter, and a run committed that chapter."""
    if not last or last % every:
        return False
    entry = store.changelog().newest(last)
    return entry is not None and entry.commit_id.startswith(BY_A_RUN)


def _check(
    store: ProjectStore, pack: LanguagePack, review: ReviewMode, emit: Emitter
) -> Decision | None:
    checkpoint = store.checkpoint()
    last = checkpoint.last_completed_chapter
    if not _is_check_due(store, checkpoint):
        return None
    ledger = chapters_check.check_of(store, pack, last)
    checkpoint = checkpoint.copy_with(checked=(*checkpoint.checked, last))
    question = chapters_check.question_of(ledger)
    decision = _put(store, checkpoint, question, review, emit)
    emit(CheckEvent(check=chapters_check.event_of(ledger)))
    return decision


def _end(store: ProjectStore, review: ReviewMode, emit: Emitter) -> Decision | None:
    checkpoint = store.checkpoint()
    question = _end_of(store, checkpoint)
    if question is not None:
        return _put(store, checkpoint.copy_with(planned_to=0), question, review, emit)
    return None


def _end_of(store: ProjectStore, checkpoint: Checkpoint) -> Decision | None:
    """Returns the question about the volume's end; None while the book is still at its
    beginning."""
    if checkpoint.beginning is not None and not checkpoint.beginning.over:
        return None
    return end_question(store, checkpoint)


def _put(
    store: ProjectStore,
    checkpoint: Checkpoint,
    question: Decision | None,
    review: ReviewMode,
    emit: Emitter,
) -> Decision | None:
    """Asks the question, or takes the default answer if nobody is asked; continues if there is
    no question."""
    if question is None:
        store.save_checkpoint(checkpoint.copy_with(pending_decision=None))
        return None
    if review == "ask" or question.kind not in _GOES_ON:
        with_question = checkpoint.copy_with(pending_decision=question)
        if with_question != store.checkpoint():
            store.save_checkpoint(with_question)
        emit(DecisionRequired(**question.model_dump()))
        return question
    option = _GOES_ON[question.kind]
    if option not in question.options:
        emit.warn(
            said(
                "A proposed plan was not confirmed; `studio start --step volume-{volume}` opens it"
                " again.",
                volume=question.data["volume"],
            )
        )
        store.save_checkpoint(take_answer(checkpoint, question, outline_proposal.LEAVE))
        return None
    store.save_checkpoint(_after(store, checkpoint, question, option))
    emit(DecisionMade(id=question.id, kind=question.kind, option=option, by="mode"))
    return None


def note_plan(store: ProjectStore, beyond: int) -> None:
    """Records how far the volume is planned, if that is beyond a chapter. An unreadable outline
    is ignored here and reported where it is needed."""
    checkpoint = store.checkpoint()
    try:
        reach = plan_reach(store, checkpoint, beyond)
    except StudioError:
        return
    if reach != checkpoint.planned_to:
        store.save_checkpoint(checkpoint.copy_with(planned_to=reach))
