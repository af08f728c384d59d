"""Many sentences of one kind, cut to a readable number.

A model's answer may contain thousands of malformed entries; a separate warning for each would bury
everything else.
"""

from __future__ import annotations

from collections.abc import Iterable

from studio.messages import said

MOST_SENTENCES = 20
"""The maximum number of sentences of one kind that are listed; the rest are counted."""


def readable(sentences: Iterable[str]) -> list[str]:
    """Returns each distinct sentence, up to twenty, then the number of the others."""
    different = list(dict.fromkeys(sentences))
    more = len(different) - MOST_SENTENCES
    first = different[:MOST_SENTENCES]
    return [*first, said("There are {more} more of this kind.", more=more)] if more > 0 else first
