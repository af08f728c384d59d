"""Keeping the garbage collector out of the writer's way (performance, rule 2).

A collection keeps every thread waiting, and its time grows with what it looks at: 50,000 young
containers take up to 60 ms, which is four frames of a stream. So what is loaded is never looked
at again, while a novel is open few containers are looked at together, and all of them only when
nobody would notice.
"""

from __future__ import annotations

import gc

LOADING = (50_000, 20, 100)
"""Containers made between collections, and how many of those make an older one: modules leave
hardly any garbage."""
OPEN = (1_000, 10, 1_000)
"""The same while a novel is open: a collection takes a millisecond, an older one three."""


def calm() -> None:
    """Call before start-up and around imports: what is alive now is not looked at again."""
    gc.freeze()
    gc.set_threshold(*LOADING)


def settle() -> None:
    """Call when all is loaded: what is alive now is not looked at again."""
    gc.freeze()
    gc.set_threshold(*OPEN)


def tidy() -> None:
    """Call where nobody waits, and nothing is open that will be closed: looks through what became
    old since the last time, and lets go of what stays.

    Cycles that outlive their youth, as closed pages do, are found by nothing else. Called once a
    second it takes less than half a frame; after a hundred older collections it took 400 ms, in
    which a key had to wait.
    """
    if gc.get_count()[2]:
        gc.collect()
        gc.freeze()
