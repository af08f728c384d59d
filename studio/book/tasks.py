"""Checks whether a chapter did for promises what its contract asks (S9)."""

from __future__ import annotations

from dataclasses import dataclass

from studio.story.contract import ChapterContract, ForeshadowTask
from studio.story.state import Delta, read_by_a_model


@dataclass(frozen=True, slots=True)
class TasksOfChapter:
    """The tasks of one chapter that no event carries out."""

    chapter: int
    undone: tuple[ForeshadowTask, ...] = ()
    unchecked: tuple[ForeshadowTask, ...] = ()
    """Tasks that could not be checked because no model extracted the events of the text."""


def tasks_of(contract: ChapterContract, delta: Delta | None) -> TasksOfChapter:
    """Returns a chapter's undone and unchecked tasks; `delta` is None while it is unwritten."""
    if delta is None:
        return TasksOfChapter(contract.chapter)
    events = {(op.path, op.value) for op in delta.ops if op.op == "foreshadow"}
    missing = tuple(t for t in contract.foreshadowing if (t.id, t.action) not in events)
    if read_by_a_model(delta.ops):
        return TasksOfChapter(contract.chapter, undone=missing)
    return TasksOfChapter(contract.chapter, unchecked=missing)
