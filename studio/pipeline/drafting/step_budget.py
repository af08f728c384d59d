"""How the steps of a generation are shared out (seed 002, C6). A step is one answer of a model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepBudget:
    """The steps of one generation, `[generation] max_steps`."""

    steps: int

    @property
    def prewriter(self) -> int:
        """What the brief may take: half of them, rounded down, and at least one."""
        return max(1, self.steps // 2)

    def writer(self, used: int = 0) -> int:
        """What the writer may take after a brief that used so many: all the rest, what the
        prewriter did not need included, and at least one."""
        return max(1, self.steps - used)
