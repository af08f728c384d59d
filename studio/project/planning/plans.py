"""The public interface of planning: reads one novel's plans and changes them one step at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.i18n import Language
from studio.project.planning import chapter_order as order
from studio.project.planning import plan_change
from studio.project.planning.chapter_plan import ChapterPlan, save_plan
from studio.project.planning.plan_change import PlanStep
from studio.project.planning.planned_book import PlannedBook, UnwrittenChapter
from studio.project.store import ProjectStore


@dataclass(frozen=True, slots=True)
class Plans:
    """The plans of one novel. Methods that change something take the lock.

    All of them raise StudioError: exit 2 with a sentence for what is impossible; 3 while somebody
    writes the novel; 5 for a file that cannot be read.
    """

    store: ProjectStore
    language: Language

    def chapters(self) -> tuple[UnwrittenChapter, ...]:
        """Returns every planned chapter after the last one in the book or in progress."""
        return PlannedBook.read(self.store, self.language).chapters

    def is_unplanned(self) -> bool:
        """Whether nothing is planned but the empty heading of chapter 1."""
        return PlannedBook.read(self.store, self.language).empty_first is not None

    def add(self, title: str = "", after: int | None = None, happens: Sequence[str] = ()) -> int:
        """Adds a chapter with these events after `after`, or after all others; returns its number.
        It becomes chapter 1 if nothing is planned yet."""
        return order.add(self.store, self.language, title, after, happens)

    def retitle(self, number: int, title: str) -> int:
        """Changes the title of a planned chapter."""
        return order.retitle(self.store, self.language, number, title)

    def label(self, number: int, words: str) -> str | None:
        """Changes what the author calls a chapter, in the book or planned; empty words take the
        label away. Returns the label."""
        return order.label(self.store, self.language, number, words)

    def move(self, number: int, to: int) -> int:
        """Moves a planned chapter to the position of another; returns its new number."""
        return order.move(self.store, self.language, number, to)

    def step(self, number: int, by: int) -> int:
        """Moves a planned chapter one place up (-1) or down (1); returns its new number."""
        return order.step(self.store, self.language, number, by)

    def split(self, number: int, at: int | None = None, title: str = "") -> int:
        """Splits a chapter after its `at`-th step; returns the number of the second one."""
        return order.split_chapter(self.store, self.language, number, at, title)

    def merge(self, number: int) -> int:
        """Merges a chapter with the one after it."""
        return order.merge(self.store, self.language, number)

    def take_out(self, number: int) -> int:
        """Removes a chapter; returns the number of the one to show next."""
        return order.take_out(self.store, self.language, number)

    def save(self, number: int, plan: ChapterPlan, before: bytes | bool | None = True) -> list[str]:
        """Writes the plan of a chapter; returns a sentence for everything created along with it."""
        return save_plan(self.store, self.language, number, plan, before)

    def undo(self) -> PlanStep:
        """Reverts the latest change of the plans."""
        return plan_change.undo(self.store)
