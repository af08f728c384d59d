"""Rows of like cases: `dev.py test` runs a sample of them, `dev.py sweep` the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def swept(*values: object, id: str | None = None) -> Any:
    """A case that is left to the sweep."""
    return pytest.param(*values, marks=pytest.mark.sweep, id=id)


def shares(step: int) -> Sequence[Any]:
    """Where a walk over many moments begins, for walks that take each `step`-th: the first share is
    tried by `dev.py test`, the others by the sweep; together they leave no moment out."""
    return every(step, range(step))


def every(step: int, cases: Iterable[object]) -> Sequence[Any]:
    """The cases, all but the first of each `step` left to the sweep."""
    return [swept(case) if number % step else case for number, case in enumerate(cases)]
