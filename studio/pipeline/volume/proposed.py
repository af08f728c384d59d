"""What a question about the book proposes, whoever proposed it: read piece by piece, put in other
words, and taken as it stands (WRITING 7.2)."""

from __future__ import annotations

from collections.abc import Mapping

from studio.errors import usage
from studio.i18n import Language
from studio.messages import said
from studio.pipeline.beginning import pieces, steps
from studio.pipeline.volume import clean_up, outline_proposal
from studio.pipeline.volume.left_out import step_of
from studio.pipeline.volume.milestones import settle
from studio.project.commit.writing import hold_for_writing
from studio.project.planning.plan_change import changed_since
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint, Decision, VolumeStep

LEAVES_OUT = {"start": steps.SKIP, "outline": outline_proposal.LEAVE, "clean_up": clean_up.LEAVE}
"""The answer that takes nothing of a proposal, by the kind of its question."""


def pieces_of(question: Decision) -> tuple[pieces.ProposedPiece, ...]:
    """Returns what a question proposes, whole; empty for one that proposes nothing to read."""
    if question.kind == "start":
        return pieces.pieces_of(question)
    if question.kind == "outline":
        return outline_proposal.shown_pieces(question)
    return clean_up.shown_pieces(question) if question.kind == "clean_up" else ()


def opened_again(store: ProjectStore, checkpoint: Checkpoint, step: VolumeStep) -> Decision:
    """Returns the question about what was proposed for a volume and left out, held against the book
    as it is now; nobody is asked. StudioError (exit 2) where nothing was left out, or nothing of it
    is left to decide."""
    question, pending = checkpoint.left_out.get(step), checkpoint.pending_decision
    if pending is not None and pending.data.get(steps.OPENED) and step_of(pending) == step:
        return pending
    if question is not None and question.kind == "outline":
        question = outline_proposal.compared_anew(store, checkpoint, question)
    elif question is not None and question.kind == "start":
        question = question if changed_since(store, question) is None else None
    elif question is not None:
        question = clean_up.as_it_stands(store, question)
    if question is None:
        raise usage(
            said("This step was not left out."), said("`studio start` goes on with the next.")
        )
    return question.with_data({steps.OPENED: True})


def take_proposal(
    store: ProjectStore, language: Language, words: Mapping[str, str], decision_id: str
) -> None:
    """Takes what the pending question proposes, with other `words` for its pieces by key: what is
    saved is what she read, and a piece without words is left out. Takes the lock. StudioError 2:
    another question is pending, or a piece cannot be left out or makes no plan; 4: a file was
    changed since."""
    with hold_for_writing(store) as held:
        question = store.checkpoint().pending_decision
        if question is None or question.kind not in LEAVES_OUT:
            raise usage(said("There is nothing to decide."), "`studio status`")
        question.must_be(decision_id)
        option = steps.NEXT if question.kind == "start" else outline_proposal.ACCEPT
        if option != steps.NEXT and not any(
            words.get(p.key, p.text).strip() for p in pieces_of(question)
        ):
            settle(store, held.lock, question, LEAVES_OUT[question.kind], "", language)
            return
        question = question.with_data({steps.HERS: {}})  # the words say what she leaves out now
        if question.kind == "start":
            question = pieces.with_words(question, words)
        elif question.kind == "outline":
            question = outline_proposal.with_words(store, question, words, language)
        else:
            question = clean_up.with_words(question, words)
        settle(store, held.lock, question, option, "", language)


def unanswered_wish(question: Decision) -> str:
    """Returns what she wanted otherwise in a proposal and nothing came of, as the call was stopped
    or killed; empty if it was answered, or if she never said so."""
    wanted = question.data.get(steps.OTHERWISE) or {}
    return "" if wanted.get(steps.ANSWERED) else str(wanted.get("wish", ""))


def ask_otherwise(
    store: ProjectStore, words: Mapping[str, str], decision_id: str, wish: str
) -> None:
    """Has the pending question proposed anew, with what is to be otherwise, and with what she made
    of this proposal: other `words` for its pieces by key, none for what she left out. Takes the
    lock. StudioError 2: another question is pending, or no wish."""
    with hold_for_writing(store):
        question = store.checkpoint().pending_decision
        if question is None or question.kind not in LEAVES_OUT:
            raise usage(said("There is nothing to decide."), "`studio status`")
        question.must_be(decision_id)
        steps.ask_otherwise(store, question, pieces_of(question), wish, words)
