"""The outline of ten thousand chapters against a hundred, and against
Textual's lists (performance P7)."""

from __future__ import annotations

import statistics

from bench.rounds import Row
from bench.terminal import measured

_PROGRAM = "bench.outline_screen"
ROUNDS = 5


def rows() -> list[Row]:
    """Returns P7: first paint against few rows and two Textual lists, and a relayout beside it."""
    paints: dict[str, list[tuple[float, float]]] = {"many": [], "few": [], "optionlist": []}
    for _ in range(ROUNDS):
        for job, times in paints.items():
            times.append(measured(_PROGRAM, job))
    many, few, options = (
        [statistics.median(side) for side in zip(*times, strict=True)] for times in paints.values()
    )
    items = measured(_PROGRAM, "listview")
    beside_many, beside_few = measured(_PROGRAM, "relayout")
    paint = "P7: first paint of 10,000 chapters"
    others = (
        (few, "100 chapters", 1.2),
        (options, "OptionList", 1 / 40),
        (items, "ListView, once", 1 / 1500),
    )
    return [
        *(
            Row(paint, many[0], other[0], against, goal, many[1] / other[1])
            for other, against, goal in others
        ),
        Row("P7: relayout beside 10,000 chapters", beside_many, beside_few, "beside 100", 1.1),
    ]
