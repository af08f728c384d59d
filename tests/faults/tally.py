"""Counts what the fault tests tried and what they looked at, for the summary at the end."""

from __future__ import annotations

import os
from collections import Counter

PROFILE = os.environ.get("FAULTS", "quick")
"""`full` is `python3 dev.py faults`, `ci` the run before a merge, `quick` the one of every day."""
FULL = PROFILE == "full"
MOST_IN_CI = 60
"""Points of one operation."""
SHARES = range(8 if FULL else 1)
"""The numbers of the parts in which a test of thousands of points runs, side by side."""

tried: Counter[str] = Counter()
"""Faults, by kind."""
checked: Counter[str] = Counter()
"""Invariants looked at, N1 to N11."""


def sized(quick: int, full: int) -> int:
    """How often to do something in this run."""
    return full if FULL else quick


def points(many: int, quick: int, variants: int = 1) -> list[int]:
    """Which of the points 1 to `many` of an operation this run tries. Outside of the full run
    the variants of an operation share its points."""
    most = {"full": many, "ci": MOST_IN_CI // variants}.get(PROFILE, quick)
    return list(range(1, many + 1)) if many <= most else _spread(many, most)


def _spread(many: int, most: int) -> list[int]:
    return sorted({1 + round(n * (many - 1) / max(1, most - 1)) for n in range(most)})


def picked(steps: list[int], quick: int) -> list[int]:
    """All of them in the full run; else about so many, the first and the last among them."""
    if FULL or len(steps) <= quick:
        return steps
    return sorted({steps[round(n * (len(steps) - 1) / (quick - 1))] for n in range(quick)})


def fault(kind: str, number: int = 1) -> None:
    """A fault was tried."""
    tried[kind] += number


def held(*names: str) -> None:
    """Invariants were looked at and hold."""
    checked.update(names)


def figures() -> dict[str, dict[str, int]]:
    """Both counts, for the process that prints them."""
    return {"tried": dict(tried), "checked": dict(checked)}


def add(more: dict[str, dict[str, int]]) -> None:
    """Takes the counts of another process in."""
    tried.update(more["tried"])
    checked.update(more["checked"])


def summary(failures: int, passed: int) -> list[str]:
    """What was tried, in lines."""
    names = sorted(checked, key=lambda name: int(name[1:]))
    return [
        *(f"  {number:>6}  {kind}" for kind, number in sorted(tried.items())),
        f"faults tried: {sum(tried.values())}",
        f"invariants checked: {sum(checked.values())}"
        f" ({', '.join(f'{name} {checked[name]}' for name in names)})",
        f"tests passed: {passed}",
        f"failures: {failures}",
    ]
