"""Figures of speech built on purpose: the same construction three times. None is a fault.

*She wanted the house, she wanted the money, she wanted the name* repeats on purpose. Sentences that
merely open with the same pronoun are no figure; three words in common are (two in Korean, two
characters in Chinese, of which the first is no pronoun).
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
"""The number of words (zh: characters) at the head of a sentence or clause that are compared."""
_CLAUSE = re.compile(r"[,;:，；、。.!?！？…—–]+")


def is_figure(
    parts: Sequence[ParagraphReading], quotes: Sequence[Sequence[str]], pack: LanguagePack
) -> bool:
    """Whether a passage has one construction three times, or the hits of one of its paragraphs
    (`quotes`, by paragraph) are one word three times, with at most one other word."""
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
    """Returns the most consecutive sentences (or clauses) that are built alike but not equal."""
    longest = current = 1 if pieces else 0
    for before, piece in pairwise(pieces):
        head = _head(piece, pack)
        alike = head and piece != before and head == _head(before, pack)
        current = current + 1 if alike else 1
        longest = max(longest, current)
    return longest
