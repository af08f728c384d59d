"""Keeps the garbage collector from interrupting the writer (performance, rule 2).

A collection blocks every thread, and its duration grows with the number of objects it examines:
50,000 young containers take up to 60 ms, which is four frames of a stream. Therefore loaded modules
are never examined again, few containers are examined at once while a novel is open, and a full
collection runs only when nobody would notice.
"""

from __future__ import annotations

import gc

LOADING = (50_000, 20, 100)
"""The collector's thresholds while modules are loaded, which leave hardly any garbage: containers
created between collections, and how many collections of a generation trigger one of the next."""
OPEN = (1_000, 10, 1_000)
"""The thresholds while a novel is open: a young collection takes a millisecond, an older one
three."""


def calm() -> None:
    """Exempts all live objects from collection; call it before start-up and around imports."""
    gc.freeze()
    gc.set_threshold(*LOADING)


def settle() -> None:
    """Exempts all live objects from collection; call it when everything is loaded."""
    gc.freeze()
    gc.set_threshold(*OPEN)


def tidy() -> None:
    """Collects garbage among objects that became old since the last call, and exempts the
    survivors. Call it when nobody is waiting and nothing is open that will be closed later.

    Only this finds cycles that reach the oldest generation, such as closed pages. Called once a
    second it takes less than half a frame; after a hundred older collections it took 400 ms, during
    which a key had to wait.
    """
    if gc.get_count()[2]:
        gc.collect()
        gc.freeze()
