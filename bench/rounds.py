"""How things are timed: two sides in turn, the median of each, and their ratio.

A ratio of two things measured in the same minute holds on a busy machine,
where a number of milliseconds does not.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One measured ratio."""

    what: str
    measured: float
    """Seconds, median."""
    reference: float
    """Seconds, median of the reference in the same rounds."""
    against: str
    """What the reference is."""
    goal: float | None = None
    """The highest ratio that is good enough; None where nothing was promised."""
    cpu: float | None = None
    """The same ratio in CPU of the program, which depends less on what else the machine does."""

    @property
    def ratio(self) -> float:
        """How many times as long as the reference."""
        return self.measured / self.reference

    @property
    def missed(self) -> bool:
        """Whether the goal was set and not reached."""
        return self.goal is not None and self.ratio > self.goal


def compare(
    what: str,
    measured: Callable[[], object],
    against: str,
    reference: Callable[[], object],
    *,
    goal: float | None = None,
    rounds: int = 7,
    clock: Callable[[], float] = time.perf_counter,
    repeats: tuple[int, int] = (1, 1),
) -> Row:
    """Runs both sides in turn, after one turn that does not count; who begins changes each time.

    `clock` may be `time.process_time`, for work of one process beside busy
    others; `repeats` are how often each side runs in its turn, where once is
    too short to be timed.
    """
    sides = (measured, reference)
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(rounds + 1):
        for side in (0, 1) if turn % 2 else (1, 0):
            begun = clock()
            for _ in range(repeats[side]):
                sides[side]()
            if turn:
                times[side].append((clock() - begun) / repeats[side])
    return Row(what, statistics.median(times[0]), statistics.median(times[1]), against, goal)


def table(rows: list[Row]) -> str:
    """Rows as aligned text: milliseconds, ratio and goal."""
    head = ("what", "ms", "reference ms", "ratio", "CPU ratio", "goal", "against")
    lines = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    aligned = (
        "  ".join(
            cell.ljust(width) if column in (0, 6) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )
    return "\n".join(line.rstrip() for line in aligned)


def _times(ratio: float) -> str:
    """How many times as much; of far less, what part of it."""
    return f"{ratio:.2f}" if ratio >= 0.1 or not ratio else f"1/{1 / ratio:.0f}"


def _cells(row: Row) -> tuple[str, ...]:
    goal = "-"
    if row.goal is not None:
        least = f"{row.goal:g}" if row.goal >= 0.1 else _times(row.goal)
        goal = f"{'missed' if row.missed else 'met'} {least}"
    return (
        row.what,
        f"{row.measured * 1000:.2f}",
        f"{row.reference * 1000:.2f}",
        _times(row.ratio),
        "-" if row.cpu is None else _times(row.cpu),
        goal,
        row.against,
    )
