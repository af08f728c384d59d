"""How long a writer waits (W2): for the first word, and for the review.

The model's server takes a second to the first token and says 60 tokens a second, for a draft 1,200,
a summary 700, line edits 400 and a judgement 1,000 tokens long (bench/written_chapter). The way to
the review is walked at SPEED times that pace, which makes the studio's own work SPEED times as
heavy as it is; the first word comes at the real pace. `BENCH_TREE=FOLDER` waits for another version
of the studio.
"""

from __future__ import annotations

import os
import statistics

from bench.rounds import Row
from bench.written_chapter import FIRST_TOKEN, Written, write

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
SPEED = float(os.environ.get("BENCH_SPEED", "6"))
_EACH = 1000
"""Scales counts so that they fit the table's column of milliseconds."""


def rows() -> list[Row]:
    """Returns the wait for the review beside the drafting, that for the first word beside the first
    token, and the calls before the first word."""
    whole = [write("review", speed=SPEED) for _ in range(ROUNDS)]
    words = [write("text", speed=1) for _ in range(ROUNDS)]
    ways = sorted(map(_way, whole), key=lambda way: way[0] / way[1])
    to_review, drafting = ways[len(ways) // 2]
    first_word = statistics.median(one.at(what="text") for one in words)
    own_work = statistics.median(one.at("cpu", what="text") for one in words)
    planned, unplanned = (calls_before_the_first_word(plan=plan) for plan in (True, False))
    return [
        Row("W2: from w to the review", to_review, drafting, "the drafting alone", 1.6),
        Row(
            "W2: from w to the first word",
            first_word,
            FIRST_TOKEN,
            "the first token",
            1.2,
            cpu=(FIRST_TOKEN + own_work) / FIRST_TOKEN,
        ),
        Row("W2: calls before it", planned / _EACH, 1 / _EACH, "one", 1.0),
        Row("W2: where scenes are planned", unplanned / _EACH, planned / _EACH, "one more", 2.0),
    ]


def calls_before_the_first_word(*, plan: bool) -> int:
    """Returns how many calls are made until the first word of prose, that of the draft included;
    `plan` is whether the plan says which scenes there are."""
    return len(write("text", plan=plan).asked)


def _way(written: Written) -> tuple[float, float]:
    """Returns the seconds to the review and to the end of the draft."""
    drafted = written.at(what="stage", name="draft", status="finished")
    return written.at(what="decision", kind="review"), drafted
