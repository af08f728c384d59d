"""Chapters that the story's state knows nothing of, and when rereading them is offered (E7)."""

from __future__ import annotations

from collections.abc import Sequence

from studio.messages import said, series

MOST_GAPS = 3
"""The number of chapters unknown to the state at which a rebuild is offered (seed E7)."""
MOST_NAMED = 8
"""The most chapters that are named one by one."""


def rebuild_offer(gaps: Sequence[int]) -> str | None:
    """Returns a sentence that offers the rebuild; None while there are too few gaps for one."""
    if len(gaps) < MOST_GAPS:
        return None
    which = " ".join(map(str, gaps)) if len(gaps) <= MOST_NAMED else "--all"
    return said(
        "The story's state knows nothing of {count} chapters; `studio rebuild {which}` reads "
        "them again.",
        count=len(gaps),
        which=which,
    )


def held_back_sentence(chapters: Sequence[int]) -> str:
    """Returns a sentence about the chapters of which changes were left out of the state."""
    return said(
        "Left out of the story's state, because the text does not bear it out: something of chapter"
        " {chapters}. `studio rebuild {first}` reads a chapter again.",
        chapters=series(chapters),
        first=chapters[0],
    )
