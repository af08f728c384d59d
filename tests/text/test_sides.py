"""One row for each metric: where it is a fault, and what is learned of it."""

from __future__ import annotations

from studio.text.metrics.direction import GROWING, LEARNED, SIDES, direction
from studio.text.metrics.metrics import METRIC_NAMES


def test_every_metric_has_its_side() -> None:
    assert tuple(SIDES) == METRIC_NAMES


def test_what_compares_with_other_texts_or_is_a_fault_for_anybody_is_not_learned() -> None:
    assert set(METRIC_NAMES) - set(LEARNED) == {
        "repetition_across",
        "echoes",
        "length_growth",
        "leaked_meta",
    }
    assert set(LEARNED) >= GROWING


def test_a_metric_with_two_sides_has_no_direction() -> None:
    directions = (direction(name) for name in ("echoes", "sensory_grounding", "dialogue_ratio"))
    assert tuple(directions) == (-1, 1, 0)
    assert direction("no metric") == 0
