"""The door to planning: one novel's plans, looked at and changed one step at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.i18n import Language
from studio.project.planning import chapter_order as order
from studio.project.planning import plan_change
from studio.project.planning.chapter_plan import ChapterPlan, save_plan
from studio.project.planning.plan_change import PlanStep
from studio.project.planning.planned_book import PlannedBook, PlannedChapter
from studio.project.store import ProjectStore


@dataclass(frozen=True, slots=True)
class Plans:
    """The plans of one novel. Whatever changes something takes the lock.

    StudioError everywhere: 2 for what cannot be done, which is a sentence; 3 while somebody
    writes the novel; 5 for a file that cannot be read.
    """

    store: ProjectStore
    language: Language

    def chapters(self) -> tuple[PlannedChapter, ...]:
        """Every planned chapter behind the last one in the book or in work."""
        return PlannedBook.read(self.store, self.language).chapters

    def is_unplanned(self) -> bool:
        """Whether nothing is planned but the empty heading of chapter 1."""
        return PlannedBook.read(self.store, self.language).empty_first is not None

    def add(self, title: str = "", after: int | None = None, happens: Sequence[str] = ()) -> int:
        """A new chapter behind `after`, or behind all others, in which these things happen;
        returns its number. It is chapter 1 where nothing is planned yet."""
        return order.add(self.store, self.language, title, after, happens)

    def retitle(self, number: int, title: str) -> int:
        """Gives a planned chapter another title."""
        return order.retitle(self.store, self.language, number, title)

    def move(self, number: int, to: int) -> int:
        """Puts a planned chapter at the place of another; returns its number there."""
        return order.move(self.store, self.language, number, to)

    def step(self, number: int, by: int) -> int:
        """Moves a planned chapter one place up (-1) or down (1); returns its number there."""
        return order.step(self.store, self.language, number, by)

    def split(self, number: int, at: int | None = None, title: str = "") -> int:
        """Parts a chapter in two behind its `at`-th step; returns the number of the second."""
        return order.split(self.store, self.language, number, at, title)

    def merge(self, number: int) -> int:
        """Makes a chapter and the one behind it one."""
        return order.merge(self.store, self.language, number)

    def take_out(self, number: int) -> int:
        """Takes a chapter out; returns the number to look at next."""
        return order.take_out(self.store, self.language, number)

    def save(self, number: int, plan: ChapterPlan, before: bytes | bool | None = True) -> list[str]:
        """Writes the plan of a chapter; returns what was made for it, a sentence each."""
        return save_plan(self.store, self.language, number, plan, before)

    def undo(self) -> PlanStep:
        """Takes the last change of the plans back."""
        return plan_change.undo(self.store)
