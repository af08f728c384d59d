"""The streaming view against a repainted line and Textual's MarkdownStream (performance P1-P3)."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from typing import Any

from bench.prose_screen import LONG, ROUNDS, SHORT, Job
from bench.rounds import Row
from bench.terminal import measured

LANGUAGES = ("ko", "en")
_PROGRAM = "bench.prose_screen"
Found = list[dict[str, float]]


def rows() -> list[Row]:
    """Returns P1, P2 and P3, in Korean and in English."""
    return [row for language in LANGUAGES for row in (_flat(language), *_streams(language))]


def _flat(language: str) -> Row:
    cost = _measure("paint", language, fps=240)
    return Row(
        f"P1 {language}: CPU per painted delta at 2M characters",
        cost[str(LONG)],
        cost[str(SHORT)],
        "the same at 2k",
        1.25,
    )


def _streams(language: str) -> Iterable[Row]:
    before = _measure("markdown", language)
    streams = _measure("streams", language)
    markdown = [before, _measure("markdown", language)]
    head, slow, fast = streams["line"], streams["slow"], streams["fast"]
    line = "a repainted line at 300/s"
    stream = "MarkdownStream at 300/s"
    share, stall = _median(slow, "cpu"), _median(fast, "p99")
    named = f"P2 {language}: CPU share at 300/s into 200k"
    yield Row(named, share, _median(head, "cpu"), line, 1.5)
    yield Row(named, share, _median(markdown, "cpu"), stream, 1 / 6)
    named = f"P3 {language}: p99 stall at 3000/s into 200k"
    yield Row(named, stall, _median(head, "p99"), line, 6)
    yield Row(named, stall, _median(markdown, "p99"), stream, 1 / 50)
    worst = f"P3 {language}: worst p99 of {ROUNDS} runs"
    yield Row(worst, max(run["p99"] for run in fast), 0.016, "one frame", 1)
    longest = f"P3 {language}: longest stall of {ROUNDS} runs"
    yield Row(longest, max(run["max"] for run in fast), 0.033, "two frames", 1)


def _measure(job: Job, language: str, fps: int = 60) -> Any:
    return measured(_PROGRAM, job, language, fps=fps)


def _median(runs: Found, what: str) -> float:
    return statistics.median(run[what] for run in runs)
