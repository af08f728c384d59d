"""Figures a writer builds on purpose: the same build three times. Nothing is proposed for them.

*She wanted the house, she wanted the money, she wanted the name* repeats
because it means to. What opens alike by one pronoun, sentence after sentence,
is no figure: three words in common are (in Korean two, in Chinese two signs, the first of them no
pronoun).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import ParagraphReading

_TIMES = 3
_WORDS = {"en": 3, "ko": 2, "zh": 2}
"""Words at the head of a sentence or a clause that make its build (zh: characters)."""
_CLAUSE = re.compile(r"[,;:，；、。.!?！？…—–]+")


def is_figure(
    parts: Sequence[ParagraphReading], quotes: Sequence[Sequence[str]], pack: LanguagePack
) -> bool:
    """Whether a passage is built of one turn three times, or the finds of one of its
    paragraphs (`quotes`, by paragraph) are one word three times, beside one other at most."""
    if any(_come_back(finds) for finds in quotes):
        return True
    sentences = [s.span.of(part.text) for part in parts for s in part.sentences]
    if _longest_run(sentences, pack) >= _TIMES:
        return True
    return any(_repeats_in_clauses(part.text, pack) for part in parts)


def _come_back(quotes: Sequence[str]) -> bool:
    counted = Counter(" ".join(quote.lower().split()) for quote in quotes)
    most = max(counted.values(), default=0)
    return most >= _TIMES and len(quotes) - most <= 1


def _repeats_in_clauses(text: str, pack: LanguagePack) -> bool:
    clauses = [clause.strip() for clause in _CLAUSE.split(text) if clause.strip()]
    return _longest_run(clauses, pack) >= _TIMES


def _head(clause: str, pack: LanguagePack) -> str:
    size = _WORDS[pack.language]
    bare = clause.strip(" \t\r\n\u3000“”‘’\"'「」『』（）()")
    if pack.language == "zh":
        bare = bare.removeprefix("又").removeprefix("也")
        return bare[:size] if len(bare) > size and bare[0] not in pack.endings.openings else ""
    words = bare.lower().split()
    return " ".join(words[:size]) if len(words) > size else ""


def _longest_run(pieces: Sequence[str], pack: LanguagePack) -> int:
    """The most sentences (or clauses) in a row that are built alike and are not the same."""
    longest = current = 1 if pieces else 0
    for before, piece in pairwise(pieces):
        head = _head(piece, pack)
        alike = head and piece != before and head == _head(before, pack)
        current = current + 1 if alike else 1
        longest = max(longest, current)
    return longest
