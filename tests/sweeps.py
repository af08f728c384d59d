"""Which tests `dev.py test` runs, which it leaves to `dev.py sweep`, and which of those are left to
`dev.py sweep whole`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from math import isqrt
from typing import Any
from zlib import crc32

import pytest


def swept(*values: object, id: str | None = None) -> Any:
    """Returns a case that only the sweep runs."""
    return pytest.param(*values, marks=pytest.mark.sweep, id=id)


def begin_with_the_longest(items: list[pytest.Item]) -> None:
    """Moves the tests marked `long` to the front; the others keep their order."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def leave_to_the_sweep(items: Iterable[pytest.Item]) -> None:
    """Leaves the rows of tests marked `sampled` to the sweep: all but one of each test, or of each
    `step` of its rows. The test's name draws the row, so that over many tests languages and sizes
    of the window take their turns."""
    for test, rows in _rows_by_test(items, "sampled"):
        mark = rows[0].get_closest_marker("sampled")
        step = min(mark.args[0] if mark and mark.args else len(rows), len(rows))
        drawn = crc32(test.encode()) % step
        for number, item in enumerate(rows):
            if number % step != drawn:
                item.add_marker("sweep")


def leave_to_the_whole_sweep(items: Iterable[pytest.Item]) -> None:
    """Marks as `rare` the rows that the sweep of every change leaves out. Of n rows of a test that
    are swept it runs the square root of n, evenly spaced, so that a hundred sizes of one case do
    not take the time of ten cases; a test marked `every_row` keeps all. The test's name draws where
    the rows begin."""
    for test, rows in _rows_by_test(items, "sweep"):
        if rows[0].get_closest_marker("every_row"):
            continue
        step = -(-len(rows) // isqrt(len(rows)))
        for number, item in enumerate(rows):
            if number % step != crc32(test.encode()) % step:
                item.add_marker("rare")


def _rows_by_test(
    items: Iterable[pytest.Item], mark: str
) -> Iterable[tuple[str, list[pytest.Item]]]:
    """The tests that have rows with a mark, each by its name, and these rows in their order."""
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker(mark):
            tests[item.nodeid.partition("[")[0]].append(item)
    return tests.items()
