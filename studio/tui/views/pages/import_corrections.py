"""An import on its way to being right: the plan, the row under the cursor, and every plan before.

Pure: each correction returns another state, and each can be taken back.
StudioError comes through from the plan where a correction cannot be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from studio.exchange.import_ import plan as plans
from studio.exchange.import_.plan import ImportPlan, PlannedChapter
from studio.exchange.import_.plan import rename as retitled


@dataclass(frozen=True, slots=True)
class Correcting:
    """Where the corrections stand."""

    plan: ImportPlan
    row: int = 1
    """From 1, those left out included."""
    before: tuple[tuple[ImportPlan, int], ...] = ()
    """Plan and row before each correction, the oldest first."""

    @property
    def chapter(self) -> PlannedChapter:
        """The one under the cursor."""
        return self.plan.chapters[self.row - 1]

    @property
    def changed(self) -> bool:
        """Whether anything was corrected."""
        return bool(self.before)

    def at(self, row: int) -> Correcting:
        """The cursor on another row, or on the nearest there is."""
        return replace(self, row=max(1, min(row, len(self.plan.chapters))))


def merged(state: Correcting) -> Correcting:
    """The row becomes the end of the one before it."""
    return _then(state, plans.merge(state.plan, state.row), state.row - 1)


def split(state: Correcting, paragraph: int, title: str = "") -> Correcting:
    """A new chapter begins at a paragraph of the row; without a title the paragraph is it."""
    return _then(state, plans.split(state.plan, state.row, paragraph, title), state.row + 1)


def renamed(state: Correcting, title: str) -> Correcting:
    """The row has another title."""
    return _then(state, retitled(state.plan, state.row, title), state.row)


def dropped(state: Correcting) -> Correcting:
    """The row is left out, or taken back if it was."""
    change = plans.leave_out if state.chapter.included else plans.take_back
    return _then(state, change(state.plan, state.row), state.row)


def undone(state: Correcting) -> Correcting:
    """As it was before the last correction."""
    if not state.before:
        return state
    *earlier, (plan, row) = state.before
    return Correcting(plan, row, tuple(earlier))


def _then(state: Correcting, plan: ImportPlan, row: int) -> Correcting:
    before = (*state.before, (state.plan, state.row))
    return Correcting(plan, state.row, before).at(row)
