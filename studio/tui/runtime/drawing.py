"""Keeps drawing fast: no second layout for unchanged sizes, and no waiting for threads (P18)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from textual.widget import Widget

from studio.tui.textual_private import SIZES_LAY_OUT, SIZES_REPAINT

_SHARED = 0.0005
"""The number of seconds for which a thread may hold up the loop; Python's default is ten times as
much."""
_UNDIVIDED = 0.05
"""The number of seconds for which the loop may hold up threads, longer than a layout and a
drawing."""


def share() -> None:
    """Shortens the time for which threads may hold up the loop, from now on."""
    sys.setswitchinterval(_SHARED)


@contextmanager
def compute_undivided() -> Iterator[None]:
    """Keeps threads waiting inside the context; with a computing run, all the work in it would take
    twice as long."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_UNDIVIDED)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextmanager
def settled_sizes() -> Iterator[None]:
    """Keeps sizes set by a layout from requesting another layout. Textual would lay out everything
    again with the same result, and draw again every widget whose size changed."""
    size = Widget.virtual_size
    _have_effect(size, False)
    try:
        yield
    finally:
        _have_effect(size, True)


def _have_effect(size: object, has_effect: bool) -> None:
    for part in (SIZES_LAY_OUT, SIZES_REPAINT):
        part.put(size, has_effect)
