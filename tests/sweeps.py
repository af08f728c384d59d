"""Which tests `dev.py test` runs and which it leaves to `dev.py sweep`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
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
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for test, rows in tests.items():
        mark = rows[0].get_closest_marker("sampled")
        step = min(mark.args[0] if mark and mark.args else len(rows), len(rows))
        drawn = crc32(test.encode()) % step
        for number, item in enumerate(rows):
            if number % step != drawn:
                item.add_marker("sweep")
