"""What was proposed for a volume, or for the style from a new sample, and left out whole: it waits
in the checkpoint as a step of the beginning does that was left out, and is opened again."""

from __future__ import annotations

from studio.errors import usage
from studio.messages import said
from studio.pipeline.beginning import steps
from studio.story.checkpoint import (
    SAMPLE,
    VOLUME_STEPS,
    BeginningStep,
    Checkpoint,
    Decision,
    VolumeStep,
)

_TAKES = frozenset({"accept", "choose", steps.NEXT})
"""The answers that take something of a proposal; after any other it waits."""


def step_of(question: Decision | None) -> VolumeStep | None:
    """Returns the name under which a question's proposal is opened again; None for a question that
    proposes nothing, and for a step of the beginning, which has places of its own."""
    if question is None:
        return None
    if question.kind == "start":
        is_there = question.data.get(steps.BY_ITSELF) and question.data.get("files")
        return SAMPLE if is_there else None
    if question.kind == "outline" and "outline" in question.data:
        return f"volume-{question.data['volume']}"
    is_tidied = question.kind == "clean_up" and "volume" in question.data
    return f"clean-up-{question.data['volume']}" if is_tidied else None


def with_its_volume(checkpoint: Checkpoint, name: VolumeStep) -> VolumeStep:
    """Returns the name of what is to be opened again; for one without a number the last volume of
    which something was left out, or is open again."""
    question = checkpoint.pending_decision
    is_open = question is not None and question.data.get(steps.OPENED)
    names = [*checkpoint.left_out, *filter(None, [step_of(question) if is_open else None])]
    parts = (other.rpartition("-") for other in names)
    numbers = [int(number) for kind, _dash, number in parts if kind == name]
    return f"{name}-{max(numbers)}" if name in VOLUME_STEPS and numbers else name


def after_answer(checkpoint: Checkpoint, question: Decision, option: str) -> Checkpoint:
    """Returns the checkpoint in which a proposal waits that was left out, and none in its place
    where one was taken."""
    step = step_of(question)
    if step is None:
        return checkpoint
    others = {name: old for name, old in checkpoint.left_out.items() if name != step}
    put_by = {} if option in _TAKES else {step: question}
    return checkpoint.copy_with(left_out={**others, **put_by})


def put_by(checkpoint: Checkpoint, again: BeginningStep | VolumeStep) -> Checkpoint:
    """Returns the checkpoint in which something that was left out is open `again`: what is proposed
    in the question before it waits, as it stands. StudioError (exit 2) where that question cannot
    be put by: it proposes nothing, or would take the place of what opens."""
    question = checkpoint.pending_decision
    step = step_of(question)
    if question is None or (question.kind == "start" and step is None):
        return steps.put_by(checkpoint, again)
    if step is None or (step == again and not question.data.get(steps.OPENED)):
        raise usage(said("Another question is open."), said("`studio decide` shows it."))
    return other_put_by(checkpoint, again)


def other_put_by(checkpoint: Checkpoint, instead: BeginningStep | VolumeStep) -> Checkpoint:
    """Returns the checkpoint in which what an open question proposes waits, where something else is
    asked or done `instead`."""
    question = checkpoint.pending_decision
    step = step_of(question)
    if question is None or step in (None, instead):
        return steps.put_by(checkpoint, instead)
    return after_answer(checkpoint, question, "")
