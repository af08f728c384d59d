"""One row for each metric: where it is a fault, what is learned of it, what it leads to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.i18n import LANGUAGES
from studio.story.review.operations import OPERATIONS
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from studio.text.metrics.metric_kinds import METRIC_NAMES, METRICS, direction, figure, metric_words


def test_every_metric_is_measured_in_the_order_of_the_table() -> None:
    for language in LANGUAGES:
        pack = load_pack(language)
        metrics = measure("", pack)
        assert tuple(metrics) == METRIC_NAMES
        assert all(metrics[name].unit == kind.unit_in(pack) for name, kind in METRICS.items())


def test_units_are_those_of_the_language() -> None:
    assert METRICS["dash_density"].unit_in(load_pack("en")) == "per 1000 words"
    assert METRICS["sensory_grounding"].unit_in(load_pack("zh")) == "senses per 500 characters"


def test_what_compares_with_other_texts_or_is_a_fault_for_anybody_is_not_learned() -> None:
    assert {name for name, kind in METRICS.items() if not kind.learned} == {
        "repetition_across",
        "echoes",
        "length_growth",
        "leaked_meta",
        "doubled_paragraphs",
    }
    assert all(kind.learned for kind in METRICS.values() if kind.grows)


def test_a_metric_with_two_sides_has_no_direction() -> None:
    directions = (direction(name) for name in ("echoes", "sensory_grounding", "dialogue_ratio"))
    assert tuple(directions) == (-1, 1, 0)
    assert direction("no metric") == 0


def test_what_a_type_of_directive_aims_at_leads_to_that_type() -> None:
    aims = {row.metric: row.type for row in OPERATIONS.values() if row.metric}
    assert {name: METRICS[name].directive for name in aims} == aims


def test_a_metric_without_a_row_is_called_by_its_id() -> None:
    assert metric_words("dash_density") == "dashes"
    assert metric_words("colour_density") == "colour density"


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
