"""How the steps of a generation are divided (seed 002, C6). A step is one answer of a model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepBudget:
    """The steps of one generation, `[generation] max_steps`."""

    steps: int

    @property
    def prewriter(self) -> int:
        """The steps the brief may take: half of them, rounded down, at least one."""
        return max(1, self.steps // 2)

    def writer(self, used: int = 0) -> int:
        """Returns the steps the writer may take after a brief that used `used`: all the rest,
        including what the prewriter did not need, at least one."""
        return max(1, self.steps - used)
