"""By how much a rewrite improved a metric, and whether there is anything left to improve."""

from __future__ import annotations

from collections.abc import Mapping

from studio.text.metrics import Metric
from studio.text.sides import direction

_QUIET: Mapping[str, float] = {"same_ending_run": 1, "same_opening_run": 1, "same_subject_run": 1}
"""The value at which a metric has nothing to complain of, where that is not 0."""


def better_by(metric: str, old: Mapping[str, Metric], new: Mapping[str, Metric]) -> float:
    """How far a metric moved for the better; negative for the worse, 0 where nobody can say."""
    if metric not in old or metric not in new:
        return 0.0
    return (new[metric].value - old[metric].value) * direction(metric)


def is_quiet(metric: str, measured: Mapping[str, Metric]) -> bool:
    """Whether code sees nothing of what a metric counts."""
    if direction(metric) >= 0 or metric not in measured:
        return False
    return measured[metric].value <= _QUIET.get(metric, 0)
