"""Keeping the garbage collector out of the writer's way (performance, rule 2)."""

from __future__ import annotations

import gc

THRESHOLDS = (50_000, 20, 100)
"""Containers made between collections, and how many of those make an older one."""


def settle() -> None:
    """Call after start-up and after each large load: what is alive now is not looked at again.

    A full collection of a large app takes tens of milliseconds and would come
    in the middle of a stream.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
