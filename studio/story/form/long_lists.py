"""Many sentences of one kind, cut to as many as a person reads.

A model's answer may hold thousands of entries of the wrong form; each of them as a warning of its
own would bury what else there is to say.
"""

from __future__ import annotations

from collections.abc import Iterable

MOST_SENTENCES = 20
"""Of one kind that are said; more of them are counted."""


def readable(sentences: Iterable[str]) -> list[str]:
    """Each sentence once, the first twenty of them, and then how many more there are."""
    different = list(dict.fromkeys(sentences))
    more = len(different) - MOST_SENTENCES
    first = different[:MOST_SENTENCES]
    return [*first, f"There are {more} more of this kind."] if more > 0 else first
