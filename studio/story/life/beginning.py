"""The progress of a book's beginning: its steps in order, and the outcome of each (E2)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from studio.story.form.document import Value

Step = Literal["premise", "style", "world", "people", "trials"]
STEPS: tuple[Step, ...] = ("premise", "style", "world", "people", "trials")
MOST_TRIALS = 3
"""The maximum number of trial chapters; they become the first of volume 1 (seed E2)."""
StepEnd = Literal["done", "skipped", "by-hand"]


class Beginning(Value):
    """A book that is being begun."""

    steps: dict[Step, StepEnd] = Field(default_factory=dict)
    """The outcome of each completed step."""
    trials: int = Field(default=MOST_TRIALS, ge=0, le=MOST_TRIALS)
    """The number of trial chapters that the writer wants."""
    over: bool = False
    """Whether the trial chapters were confirmed, or left out."""

    @property
    def next_step(self) -> Step | None:
        """The first step without an outcome."""
        return next((step for step in STEPS if step not in self.steps), None)

    def ended(self, step: Step, end: StepEnd) -> Beginning:
        """Returns a copy with one more step completed."""
        return self.model_copy(update={"steps": {**self.steps, step: end}})
