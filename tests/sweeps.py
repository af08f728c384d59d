"""Parametrized cases of which `dev.py test` runs a sample and `dev.py sweep` the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest


def swept(*values: object, id: str | None = None) -> Any:
    """Returns a case that only the sweep runs."""
    return pytest.param(*values, marks=pytest.mark.sweep, id=id)


def begin_with_the_longest(items: list[pytest.Item]) -> None:
    """Moves the tests marked `long` to the front; the others keep their order."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def leave_to_the_sweep(items: Iterable[pytest.Item]) -> None:
    """Leaves all but the first of each `step` cases of a test marked `sampled(step)` to the
    sweep."""
    rows: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is None:
            continue
        test = item.nodeid.partition("[")[0]
        if rows[test] % mark.args[0]:
            item.add_marker("sweep")
        rows[test] += 1
