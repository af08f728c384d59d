"""Random edits of a text, the same for the same state of chance."""

from __future__ import annotations

import random

MARKS = (
    *("\n\n", "\n", " ", "\n\n* * *\n\n", "# T\n\n", "“", "”", "—— ", "“가자.” ", "“走吧。”", "’"),
    *("She felt cold. ", "그는 추위를 느꼈다. ", "她感到冷。", "Scene 2\n\n", "\u0301", "\u11ab"),
    *('"', "\r\n", "\u3000", "not this but that ", "<think>"),
)
"""Pieces that change how the text around them is read."""


def edit(text: str, source: str, chance: random.Random) -> tuple[int, int, str]:
    """Start, end and new words of an insertion, deletion or replacement of 1 to 200 characters.

    The words come from `source`, now and then with a mark.
    """
    start = chance.randint(0, len(text))
    end = min(len(text), start + chance.choice([0, 0, 1, chance.randint(1, 200)]))
    words = ""
    if start == end or chance.random() < 0.6:
        at = chance.randrange(max(1, len(source) - 200))
        words = source[at : at + chance.randint(1, 200)]
    if chance.random() < 0.3:
        words += chance.choice(MARKS)
    return start, end, words
