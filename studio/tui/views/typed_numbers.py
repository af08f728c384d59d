"""The few numbers a writer sees while she types, on one line that fits. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rich.cells import cell_len

from studio.text.live import LiveMetrics
from studio.text.metrics.metrics import Metric
from studio.tui.views.words import Line, Said, Tone

_SHOWN: Mapping[str, tuple[str, str]] = {
    "filter_word_density": ("filter words {:.1f}", " per 1000"),
    "same_ending_run": ("alike endings {:.0f}", " in a row"),
    "dialogue_ratio": ("dialogue {:.0%}", ""),
    "sentence_length_cv": ("sentence variety {:.2f}", ""),
}
"""Each with what is left out first where the line is narrow."""
_GAP = " · "
_MARKS: Mapping[bool | None, tuple[str, Tone]] = {
    True: (" ✓", "good"),
    False: (" !", "warn"),
    None: ("", "plain"),
}


class Typed(NamedTuple):
    """How a text in the editor measures."""

    length: int
    unit: str
    metrics: Mapping[str, Metric]
    done: float = 1.0
    """How much of the text was read, where it is read for the first time."""


def typed(live: LiveMetrics, done: float = 1.0) -> Typed:
    """What `live` says now, of the numbers that are shown."""
    values = live.values()
    return Typed(live.length, live.pack.unit, {name: values[name] for name in _SHOWN}, done)


def numbers_line(now: Typed, width: int) -> Line:
    """The line in so many cells: words before targets, and the last number left out first."""
    if now.done < 1:
        return (Said(f"{_length(now)}, measuring: {now.done:.0%}", "quiet"),)
    forms = [[*_pieces(now, form)] for form in range(3)]
    pieces = next((found for found in forms if _cells(found) <= width), forms[-1])
    while len(pieces) > 1 and _cells(pieces) > width:
        pieces.pop()
    first, *others = pieces
    return (*first, *(said for piece in others for said in (Said(_GAP, "quiet"), *piece)))


def _pieces(now: Typed, form: int) -> Iterator[Line]:
    """Form 0 says everything, 1 leaves out what a number is counted in, 2 the targets too."""
    yield (Said(_length(now)),)
    for name, (words, counted) in _SHOWN.items():
        metric = now.metrics[name]
        told = words.format(metric.value) + (counted if form == 0 else "")
        target = _target(name, metric) if form < 2 else ""
        mark, tone = _MARKS[metric.ok]
        held: Tone = "plain" if metric.ok is not None or metric.threshold is None else "quiet"
        yield tuple(said for said in (Said(told, held), Said(target, "quiet"), Said(mark, tone)))


def _target(name: str, metric: Metric) -> str:
    """` (under 5)`: `min` is enough, `max` is already too much."""
    bounds = metric.threshold or {}
    form = "{:.0%}" if name == "dialogue_ratio" else "{:g}"
    low, high = (form.format(bounds[end]) if end in bounds else "" for end in ("min", "max"))
    if low and high:
        return f" ({low}-{high})"
    return f" (from {low})" if low else f" (under {high})" if high else ""


def _length(now: Typed) -> str:
    unit = now.unit if now.length != 1 else now.unit.removesuffix("s")
    return f"{now.length:,} {unit}"


def _cells(pieces: list[Line]) -> int:
    said = sum(cell_len(said.text) for piece in pieces for said in piece)
    return said + len(_GAP) * (len(pieces) - 1)
