"""Of every test that is swept some row runs in the sweep of every change."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.sweeps import leave_to_the_whole_sweep


class Row:
    """A row of a test, with its marks."""

    def __init__(self, test: str, number: int, *marks: str) -> None:
        self.nodeid = f"{test}[{number}]"
        self.marks = set(marks)

    def get_closest_marker(self, name: str) -> Any:
        return SimpleNamespace(args=()) if name in self.marks else None

    def add_marker(self, name: str) -> None:
        self.marks.add(name)


@pytest.mark.parametrize(("size", "most"), [(1, 1), (2, 1), (3, 1), (4, 2), (23, 5), (199, 14)])
def test_of_like_rows_the_sweep_runs_about_the_square_root(size: int, most: int) -> None:
    for test in (f"test_{name}" for name in range(40)):
        rows = [Row(test, number, "sweep") for number in range(size)]
        leave_to_the_whole_sweep(rows)  # type: ignore[arg-type]
        left = [row for row in rows if "rare" not in row.marks]
        assert 1 <= len(left) <= most


def test_a_test_of_which_every_row_counts_keeps_all() -> None:
    rows = [Row("test_it", number, "sweep", "every_row") for number in range(30)]
    leave_to_the_whole_sweep(rows)  # type: ignore[arg-type]
    assert all("rare" not in row.marks for row in rows)
