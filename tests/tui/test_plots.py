"""Plots in plain text: heights, thresholds, verdicts in words, exact widths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from studio.tui.views.plots import BARS, Metric, gauge, plot_line, sparkline
from studio.tui.widgets.metric_plot import MetricPlot

DIALOGUE = Metric("대화 비율", 0.42, {"min": 0.3}, course=(0.2, 0.25, 0.5, 0.31))
numbers = st.floats(allow_nan=True, allow_infinity=True)


def test_the_least_is_lowest_and_the_most_highest() -> None:
    assert sparkline([1, 2, 3], 10) == "▁▅█" or sparkline([1, 2, 3], 10) == "▁▄█"
    assert sparkline([1, 2, 3], 2) in ("▁█",)
    assert sparkline([2, 2], 5) == BARS[4] * 2
    assert sparkline([], 5) == sparkline([1.0], 0) == ""
    assert sparkline([0, 1], 5, ascii_only=True) == "_@"


def test_a_gauge_shows_value_and_threshold() -> None:
    assert gauge(Metric("m", 1.0, {"min": 0.5}), 11, ascii_only=True) == "----|===o=="
    assert gauge(Metric("m", 0.0, {"max": 1.0}), 6, ascii_only=True) == "o===|-"


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
    assert Metric("m", value, threshold).verdict == verdict


def test_a_line_says_everything_in_words() -> None:
    line = "".join(piece.text for piece in plot_line(DIALOGUE, 60))
    assert line.startswith("대화 비율 ")
    assert line.endswith(" 0.42 (≥0.3) ok")


@given(
    numbers,
    st.lists(numbers, max_size=6),
    st.sampled_from([{}, {"min": 0.3}, {"max": 5.0}, {"min": -1.0, "max": 9.0}]),
    st.integers(1, 90),
    st.booleans(),
)
def test_a_line_has_exactly_its_cells(
    value: float, course: list[float], threshold: dict[str, float], width: int, ascii_only: bool
) -> None:
    metric = Metric("오감\x1b", value, threshold, " /500", course)
    line = "".join(piece.text for piece in plot_line(metric, width, ascii_only))
    assert cell_len(line) == width
    assert "\x1b" not in line


class Desk(App[None]):
    """A metric and nothing else."""

    def compose(self) -> ComposeResult:
        yield MetricPlot(DIALOGUE)


async def test_a_metric_is_one_line_of_the_screen() -> None:
    app = Desk()
    async with app.run_test(size=(60, 5)):
        assert app.query_one(MetricPlot).size.height == 1
        assert "(≥0.3) ok" in app.screen._compositor.render_strips()[0].text
