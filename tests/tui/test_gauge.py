"""A number between its bounds: where it stands on the scale, and the verdict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.tui.views.pages.chapter import gauge, verdict_of


def test_a_gauge_shows_value_and_threshold() -> None:
    assert gauge(1.0, {"min": 0.5}, 11) == "────│━━━●━━"
    assert gauge(0.0, {"max": 1.0}, 6) == "●━━━│─"


@pytest.mark.parametrize(
    ("value", "threshold", "verdict"),
    [
        (0.3, {"min": 0.3}, "ok"),
        (0.29, {"min": 0.3}, "low"),
        (5.0, {"max": 5.0}, "high"),
        (4.9, {"max": 5.0, "min": 1.0}, "ok"),
        (1.0, {}, "none"),
        (float("nan"), {"min": 1.0}, "none"),
    ],
)
def test_verdicts(value: float, threshold: dict[str, float], verdict: str) -> None:
    assert verdict_of(value, threshold) == verdict


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([{}, {"min": 0.3}, {"max": 5.0}, {"min": -1.0, "max": 9.0}]),
    st.integers(3, 40),
)
def test_a_gauge_has_exactly_its_cells(
    value: float, threshold: dict[str, float], width: int
) -> None:
    assert len(gauge(value, threshold, width)) == width
