"""Small plots of a number in plain text: its course over chapters, its place in what is allowed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Literal, NamedTuple

from rich.cells import cell_len, set_cell_size

from studio.text.safe import safe_text

Verdict = Literal["ok", "low", "high", "none"]

BARS = "▁▂▃▄▅▆▇█"
ASCII_BARS = "_.-=+*#@"
_GAUGE = ("─", "━", "●", "│")
_ASCII_GAUGE = ("-", "=", "o", "|")


class Metric(NamedTuple):
    """A measured number; `threshold` has `min` (good from it on), `max` (good below it) or both."""

    label: str
    value: float
    threshold: Mapping[str, float]
    unit: str = ""
    course: Sequence[float] = ()
    """The same number of the chapters before, oldest first."""

    @property
    def verdict(self) -> Verdict:
        """Whether it is within its threshold."""
        if not self.threshold or not isfinite(self.value):
            return "none"
        if "min" in self.threshold and self.value < self.threshold["min"]:
            return "low"
        if "max" in self.threshold and self.value >= self.threshold["max"]:
            return "high"
        return "ok"


class Piece(NamedTuple):
    """Part of a plot line; the look is `label`, `plot`, `value` or the verdict."""

    text: str
    look: str


def sparkline(values: Sequence[float], width: int, ascii_only: bool = False) -> str:
    """One character for each of the last values, its height between the least and the most."""
    bars = ASCII_BARS if ascii_only else BARS
    shown = [value for value in values if isfinite(value)][-max(0, width) :] if width > 0 else []
    if not shown:
        return ""
    low, high = min(shown), max(shown)
    if low == high:
        return bars[len(bars) // 2] * len(shown)
    top = len(bars) - 1
    return "".join(bars[round((value - low) / (high - low) * top)] for value in shown)


def gauge(metric: Metric, width: int, ascii_only: bool = False) -> str:
    """A scale with the value on it: heavy where it would be good, a stroke at each threshold."""
    line, good, point, edge = _ASCII_GAUGE if ascii_only else _GAUGE
    if width < 3 or not isfinite(metric.value):
        return ""
    low, high = metric.threshold.get("min"), metric.threshold.get("max")
    top = 1.25 * max(metric.value, low or 0.0, high or 0.0) or 1.0
    bottom = min(0.0, metric.value)

    def place(value: float) -> int:
        return min(width - 1, max(0, round((value - bottom) / (top - bottom) * (width - 1))))

    first = place(low) if low is not None else 0
    last = place(high) if high is not None else width - 1
    cells = [good if first <= x <= last and metric.threshold else line for x in range(width)]
    for limit in (low, high):
        if limit is not None:
            cells[place(limit)] = edge
    cells[place(metric.value)] = point
    return "".join(cells)


def plot_line(metric: Metric, width: int, ascii_only: bool = False) -> list[Piece]:
    """Label, plot, value and verdict in exactly `width` cells; the plot gives way first."""
    verdict = "" if metric.verdict == "none" else f" {metric.verdict}"
    value = f" {_number(metric.value)}{safe_text(metric.unit)}{_limits(metric, ascii_only)}"
    label = safe_text(metric.label, keep_newlines=False)
    room = max(0, width - cell_len(value) - cell_len(verdict))
    wide = min(cell_len(label) + 1, max(room // 2, room - 24))
    plot = _plot(metric, room - wide, ascii_only)
    pieces = [
        Piece(set_cell_size(label, wide), "label"),
        Piece(set_cell_size(plot, room - wide), "plot"),
        Piece(value, "value"),
        Piece(verdict, metric.verdict),
    ]
    if room == 0:
        pieces = [Piece(set_cell_size((value + verdict).strip(), width), metric.verdict)]
    return [piece for piece in pieces if piece.text]


def _plot(metric: Metric, width: int, ascii_only: bool) -> str:
    if width < 8 or len(metric.course) < 2:
        return gauge(metric, width, ascii_only)
    course = sparkline([*metric.course, metric.value], width // 2 - 1, ascii_only)
    return course + " " + gauge(metric, width - cell_len(course) - 1, ascii_only)


def _limits(metric: Metric, ascii_only: bool) -> str:
    least = ">=" if ascii_only else "≥"
    parts = []
    if "min" in metric.threshold:
        parts.append(f"{least}{_number(metric.threshold['min'])}")
    if "max" in metric.threshold:
        parts.append(f"<{_number(metric.threshold['max'])}")
    return f" ({' '.join(parts)})" if parts else ""


def _number(value: float) -> str:
    if not isfinite(value):
        return "?"
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) < 100 else f"{value:.0f}"
