"""The outline of a long book against that of a short one (performance P7)."""

from __future__ import annotations

import statistics
from typing import Any

from bench.outline_screen import Job
from bench.rounds import Row
from bench.terminal import measured

_PROGRAM = "bench.outline_screen"
ROUNDS = 5
LONGEST = 0.050
"""The most seconds that the first paint may take."""


def rows() -> list[Row]:
    """Returns P7: the first paint against few rows and against a time, and a relayout beside it."""
    paints: dict[Job, list[tuple[float, float]]] = {"many": [], "few": []}
    for _ in range(ROUNDS):
        for job, times in paints.items():
            times.append(_measure(job))
    many, few = (
        [statistics.median(side) for side in zip(*times, strict=True)] for times in paints.values()
    )
    beside_many, beside_few = _measure("relayout")
    paint = "P7: first paint of 2,000 chapters"
    return [
        Row(paint, many[0], few[0], "100 chapters", 1.5, many[1] / few[1]),
        Row(paint, many[0], LONGEST, "50 ms", 1, many[1] / LONGEST),
        Row("P7: relayout beside 2,000 chapters", beside_many, beside_few, "beside 100", 1.1),
    ]


def _measure(job: Job) -> Any:
    return measured(_PROGRAM, job)
