"""The corrections of an import: the current plan, the row under the cursor, and every earlier plan.

Pure: each correction returns a new state and can be undone. StudioError comes from the plan where a
correction is impossible.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from studio.exchange.import_ import plan as plans
from studio.exchange.import_.plan import ImportPlan, PlannedChapter
from studio.exchange.import_.plan import rename as retitled


@dataclass(frozen=True, slots=True)
class Correcting:
    """The state of the corrections."""

    plan: ImportPlan
    row: int = 1
    """The row under the cursor, from 1; rows that are left out count too."""
    before: tuple[tuple[ImportPlan, int], ...] = ()
    """The plan and row before each correction, the oldest first."""

    @property
    def chapter(self) -> PlannedChapter:
        """The chapter under the cursor."""
        return self.plan.chapters[self.row - 1]

    @property
    def changed(self) -> bool:
        """Whether anything was corrected."""
        return bool(self.before)

    def at(self, row: int) -> Correcting:
        """Moves the cursor to a row, or to the nearest one that exists."""
        return replace(self, row=max(1, min(row, len(self.plan.chapters))))


def merged(state: Correcting) -> Correcting:
    """Merges the row into the end of the previous one."""
    return _then(state, plans.merge(state.plan, state.row), state.row - 1)


def split(state: Correcting, paragraph: int, title: str = "") -> Correcting:
    """Begins a new chapter at a paragraph of the row; without a title the paragraph becomes the
    title."""
    return _then(state, plans.split(state.plan, state.row, paragraph, title), state.row + 1)


def renamed(state: Correcting, title: str) -> Correcting:
    """Gives the row another title."""
    return _then(state, retitled(state.plan, state.row, title), state.row)


def dropped(state: Correcting) -> Correcting:
    """Leaves the row out, or takes it back if it was left out."""
    change = plans.leave_out if state.chapter.included else plans.take_back
    return _then(state, change(state.plan, state.row), state.row)


def undone(state: Correcting) -> Correcting:
    """Returns the state before the last correction."""
    if not state.before:
        return state
    *earlier, (plan, row) = state.before
    return Correcting(plan, row, tuple(earlier))


def _then(state: Correcting, plan: ImportPlan, row: int) -> Correcting:
    before = (*state.before, (state.plan, state.row))
    return Correcting(plan, state.row, before).at(row)
