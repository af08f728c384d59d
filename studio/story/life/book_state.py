"""The seven states a book can be in and the transitions between them (seed D2), as data.

The table is the seed's, with two additions. A chapter with a plan or a text may be written from
every state, so planning first is optional. Trial chapters are written like any other, so they are
confirmed from WRITING as well as from QUICK_START.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from studio.story.checkpoint import Checkpoint, OrchestratorState

S = OrchestratorState


class Trigger(StrEnum):
    """An event that may change the state of a book."""

    CREATE = "create"
    """A book is begun, step by step."""
    SETTING = "setting"
    """The writer settled premise, world or people."""
    SAMPLE = "sample"
    """The style was taken from the author's sample."""
    TRIALS = "trials"
    """The trial chapters are confirmed as the first of volume 1, or there will be none."""
    WRITE = "write"
    """A chapter begins, or resumes after an error."""
    PASS = "pass"
    """The gate passes the chapter, or no judge was available."""
    POLISH = "polish"
    REVISE = "revise"
    """The chapter goes back to the drafter."""
    PAUSE = "pause"
    """The gate waits for a person, who decides how much is rewritten."""
    REWRITE = "rewrite"
    """The gate waits for a person, and all of the chapter is to be rewritten."""
    REVISED = "revised"
    """A revision is drafted; the gate is next."""
    COMMIT = "commit"
    BRIEF = "brief"
    """A brief is due, after every fifth chapter."""
    PLAN_MORE = "plan-more"
    END_VOLUME = "end-volume"
    """The last planned chapter is committed, and the volume ends with it."""
    REVIEWED = "reviewed"
    OUTLINE = "outline"
    """The plan of the next volume is confirmed."""
    ERROR = "error"


TRANSITIONS: Mapping[tuple[OrchestratorState, Trigger], OrchestratorState] = MappingProxyType(
    {
        **{(state, Trigger.WRITE): S.WRITING for state in S},
        **{(state, Trigger.COMMIT): S.WRITING for state in S},
        **{(state, Trigger.ERROR): S.ERROR_RETRY for state in S},
        (S.INIT, Trigger.CREATE): S.QUICK_START,
        (S.ERROR_RETRY, Trigger.CREATE): S.QUICK_START,
        (S.QUICK_START, Trigger.SETTING): S.QUICK_START,
        (S.QUICK_START, Trigger.SAMPLE): S.QUICK_START,
        (S.QUICK_START, Trigger.TRIALS): S.VOL_PLANNING,
        (S.WRITING, Trigger.TRIALS): S.VOL_PLANNING,
        (S.WRITING, Trigger.PASS): S.WRITING,
        (S.WRITING, Trigger.POLISH): S.WRITING,
        (S.WRITING, Trigger.REVISE): S.CHAPTER_REWRITE,
        (S.WRITING, Trigger.PAUSE): S.WRITING,
        (S.WRITING, Trigger.REWRITE): S.WRITING,
        (S.CHAPTER_REWRITE, Trigger.REVISED): S.WRITING,
        (S.WRITING, Trigger.BRIEF): S.WRITING,
        (S.WRITING, Trigger.PLAN_MORE): S.WRITING,
        (S.WRITING, Trigger.END_VOLUME): S.VOL_REVIEW,
        (S.VOL_REVIEW, Trigger.REVIEWED): S.VOL_PLANNING,
        (S.VOL_PLANNING, Trigger.OUTLINE): S.WRITING,
    }
)
"""Maps state and trigger to the next state; a missing pair changes nothing."""


def moved(checkpoint: Checkpoint, trigger: Trigger) -> Checkpoint:
    """Returns the checkpoint in the state that the trigger leads to."""
    state = checkpoint.orchestrator_state
    return checkpoint.updated(orchestrator_state=TRANSITIONS.get((state, trigger), state))
