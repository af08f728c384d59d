"""The rounds alternate, the medians are compared, and a missed goal is said."""

from __future__ import annotations

import pytest

from bench.__main__ import benchmarks, main
from bench.rounds import Row, compare, table


def test_sides_take_turns_and_the_first_turn_does_not_count() -> None:
    turns: list[str] = []
    row = compare("a", lambda: turns.append("a"), "b", lambda: turns.append("b"), rounds=3)
    assert "".join(turns) == "baabbaab"
    assert row.measured > 0
    assert row.reference > 0


def test_a_goal_is_missed_above_its_ratio_only() -> None:
    assert Row("x", 0.3, 0.2, "y", goal=1.4).missed
    assert not Row("x", 0.3, 0.2, "y", goal=1.6).missed
    assert not Row("x", 0.3, 0.2, "y").missed


def test_the_table_shows_ratio_and_goal() -> None:
    text = table([Row("start", 0.3, 0.1, "pass", goal=2), Row("stop", 0.1, 0.1, "pass")])
    start, stop = text.splitlines()[1:]
    assert start.split() == ["start", "300.00", "100.00", "3.00", "-", "missed", "2", "pass"]
    assert stop.split() == ["stop", "100.00", "100.00", "1.00", "-", "-", "pass"]


def test_a_small_ratio_is_a_part_and_none_at_all_is_nought() -> None:
    said = table([Row("a", 0.001, 1.0, "b"), Row("c", 0.0, 1.0, "d", goal=0.0)])
    assert "1/1000" in said
    assert "met 0.00" in said


def test_an_unknown_benchmark_is_named_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["start-up"]) == 2
    assert "start-up" in (said := capsys.readouterr().err)
    assert "startup" in said


def test_only_modules_with_rows_are_benchmarks() -> None:
    assert "startup" in benchmarks()
    assert "rounds" not in benchmarks()
