"""One drawing at a time, and once: what Textual would do twice, or share with a thread (P18)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from textual.widget import Widget

_SHARED = 0.0005
"""Seconds a thread may keep the loop waiting, where Python would let it have ten times that."""
_UNDIVIDED = 0.05
"""Seconds the loop may keep a thread waiting meanwhile: longer than a layout and a drawing."""


def share() -> None:
    """From now on the loop waits less for threads."""
    sys.setswitchinterval(_SHARED)


@contextmanager
def undivided() -> Iterator[None]:
    """Threads wait meanwhile: beside a run that computes, everything would take twice as long."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_UNDIVIDED)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextmanager
def settled_sizes() -> Iterator[None]:
    """The sizes that a layout gives ask for no further one, as they would of Textual: it would
    lay everything out once more, as it was, and draw whatever had got another size again."""
    size = Widget.virtual_size
    size._layout = size._repaint = False
    try:
        yield
    finally:
        size._layout = size._repaint = True
