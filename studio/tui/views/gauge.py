"""A number in relation to its target, drawn as a text gauge and judged. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Literal

Verdict = Literal["ok", "low", "high", "none"]

_LINE, _GOOD, _POINT, _EDGE = "─━●│"


def verdict_of(value: float, threshold: Mapping[str, float]) -> Verdict:
    """Returns whether a value meets its threshold: it must be at least `min` and below `max`."""
    if not threshold or not isfinite(value):
        return "none"
    if "min" in threshold and value < threshold["min"]:
        return "low"
    if "max" in threshold and value >= threshold["max"]:
        return "high"
    return "ok"


def gauge(value: float, threshold: Mapping[str, float], width: int) -> str:
    """Draws a scale with the value on it: heavy line in the target range, a stroke at each
    bound."""
    if width < 3 or not isfinite(value):
        return ""
    low, high = threshold.get("min"), threshold.get("max")
    top = 1.25 * max(value, low or 0.0, high or 0.0) or 1.0
    bottom = min(0.0, value)

    def place(number: float) -> int:
        return min(width - 1, max(0, round((number - bottom) / (top - bottom) * (width - 1))))

    first = place(low) if low is not None else 0
    last = place(high) if high is not None else width - 1
    cells = [_GOOD if first <= x <= last and threshold else _LINE for x in range(width)]
    for bound in (low, high):
        if bound is not None:
            cells[place(bound)] = _EDGE
    cells[place(value)] = _POINT
    return "".join(cells)
