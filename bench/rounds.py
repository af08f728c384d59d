"""Timing: two sides measured in turn, the median of each, and their ratio.

The ratio of two durations measured in the same minute is stable on a busy machine, unlike a number
of milliseconds.
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
    """The median in seconds."""
    reference: float
    """The median of the reference in the same rounds, in seconds."""
    against: str
    """A description of the reference."""
    goal: float | None = None
    """The highest acceptable ratio; None where no goal is set."""
    cpu: float | None = None
    """The same ratio in the program's CPU time, which depends less on other load on the machine."""

    @property
    def ratio(self) -> float:
        """The measured time as a multiple of the reference."""
        return self.measured / self.reference

    @property
    def missed(self) -> bool:
        """Whether a goal is set and was missed."""
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
    """Runs both sides in turn after one discarded turn; the side that begins alternates.

    `clock` may be `time.process_time`, to measure one process beside other load; `repeats` is the
    number of runs per turn, for work too short to be timed once.
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
    """Formats rows as aligned text: milliseconds, ratio and goal."""
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
    """Formats a ratio as a multiple, or as a fraction when it is far below one."""
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
