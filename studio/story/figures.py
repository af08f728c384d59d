"""Numbers as a writer reads them: a share in per cent, money, the rest as short as is honest."""

from __future__ import annotations

SHARES = frozenset({"dialogue_ratio", "one_sentence_paragraphs", "opening_share", "length_growth"})
"""Metrics whose value is a part of one."""


def figure(metric: str, value: float) -> str:
    """`7.2`, `0.89`, `4.3 %`; never rounded up to a whole number it has not reached, for
    thresholds are whole numbers (4.996 passes where 5 does not)."""
    if metric in SHARES:
        return f"{_short(value * 100, 1)} %"
    return _short(value, 2)


def dollars(usd: float | None) -> str:
    """`$0.0421`; a price that is not known is never nothing."""
    return "unknown" if usd is None else f"${usd:.4f}"


def _short(value: float, digits: int) -> str:
    rounded = round(value, digits)
    if rounded == int(rounded) and abs(value - rounded) > 1e-9:
        return f"{value:.4g}"
    return f"{rounded:.{digits}f}".rstrip("0").rstrip(".") if rounded % 1 else f"{rounded:.0f}"
