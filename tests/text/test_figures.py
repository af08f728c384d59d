"""Numbers as a writer reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.text.metrics.metric_kinds import figure


@pytest.mark.parametrize(
    ("metric", "value", "text"),
    [
        ("filter_word_density", 0.4518752824220515, "0.45"),
        ("filter_word_density", 7.0, "7"),
        ("filter_word_density", 4.996, "4.996"),
        ("filter_word_density", 12.5, "12.5"),
        ("dialogue_ratio", 0.043473558992105546, "4.3%"),
        ("dialogue_ratio", 0.65, "65%"),
        ("dialogue_ratio", 0.0, "0%"),
        ("length_growth", -0.021, "-2.1%"),
        ("same_ending_run", 3.0, "3"),
        ("sentence_length_cv", 0.885937471880286, "0.89"),
    ],
)
def test_a_number_is_short_and_a_share_is_in_per_cent(metric: str, value: float, text: str) -> None:
    assert figure(metric, value) == text


@given(st.integers(1, 200), st.floats(1e-6, 0.9))
def test_what_is_below_a_whole_threshold_is_shown_below_it(whole: int, less: float) -> None:
    assert float(figure("filter_word_density", whole - less)) <= whole
    if less > whole * 1e-3:
        assert figure("filter_word_density", whole - less) != str(whole)
