"""Which entries of a list are the same in a new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def same_ones(
    present: Sequence[T], words: Sequence[str], words_of: Callable[[T], object]
) -> list[T | None]:
    """Returns for each entry of a new list which of the present ones it is: the one with its words,
    of two alike the one in its place first, or, if their number is unchanged, the one in its place.
    None is two of them."""
    left = dict(enumerate(present))
    same: dict[int, T] = {}
    for i, own in enumerate(words):
        if i in left and words_of(left[i]) == own:
            same[i] = left.pop(i)
    for i, own in enumerate(words):
        alike = (n for n, one in left.items() if words_of(one) == own)
        if i not in same and (n := next(alike, None)) is not None:
            same[i] = left.pop(n)
    if len(present) == len(words):
        same = left | same
    return [same.get(i) for i in range(len(words))]
