"""Keeping the garbage collector out of the writer's way (performance, rule 2)."""

from __future__ import annotations

import gc

THRESHOLDS = (50_000, 20, 100)
"""Containers made between collections, and how many of those make an older one."""


def calm() -> None:
    """Call before start-up and around imports: what is alive now is not looked at again.

    Unlike `settle` it looks for no garbage, which would keep every thread waiting.
    """
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


def settle() -> None:
    """Call after each large load: what is alive now is not looked at again.

    A full collection of a large app takes tens of milliseconds and would come
    in the middle of a stream.
    """
    gc.collect()
    calm()
