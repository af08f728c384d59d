"""How far the beginning of a book has come: its steps in order, and what became of each (E2)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from studio.story.form.document import Value

Step = Literal["premise", "style", "world", "people", "trials"]
STEPS: tuple[Step, ...] = ("premise", "style", "world", "people", "trials")
MOST_TRIALS = 3
"""Trial chapters; they become the first of volume 1 (seed E2)."""
StepEnd = Literal["done", "skipped", "by-hand"]


class Beginning(Value):
    """A book that is being begun."""

    steps: dict[Step, StepEnd] = Field(default_factory=dict)
    """What became of each step that is over."""
    trials: int = Field(default=MOST_TRIALS, ge=0, le=MOST_TRIALS)
    """Trial chapters that the writer wants."""
    over: bool = False
    """Whether the trial chapters were confirmed, or left out."""

    @property
    def next_step(self) -> Step | None:
        """The first step that nothing became of yet."""
        return next((step for step in STEPS if step not in self.steps), None)

    def ended(self, step: Step, end: StepEnd) -> Beginning:
        """The same with one more step over."""
        return self.model_copy(update={"steps": {**self.steps, step: end}})
