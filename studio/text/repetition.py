"""Phrases that come back: three content words in a row, or six Chinese characters."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import lru_cache

from studio.text.language import LanguagePack
from studio.text.reading import Reading
from studio.text.spans import Span, merged

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_HAN = re.compile("[\u3400-\u9fff]{6,}")
_SIZE = 6
"""Characters in a Chinese phrase; in the other languages it has three words."""

Phrase = tuple[str, ...] | str


def repeated_phrases(reading: Reading) -> list[tuple[int, int]]:
    """Where a phrase of narration stands for the second time and after, in order.

    Overlapping repeats are one longer phrase. Phrases do not cross a paragraph
    or speech; words without content (see the pack) are left out of them.
    """
    seen: set[Phrase] = set()
    found: list[Span] = []
    for paragraph, part in reading.parts:
        for stretch in part.narration:
            words = part.text[stretch.start : stretch.end]
            phrases = _phrases(words, reading.pack)
            fresh = set(phrases)
            if len(fresh) < len(phrases) or not seen.isdisjoint(fresh):
                here = paragraph.start + stretch.start
                found += [span.moved(here) for span in _repeats(words, seen, reading.pack)]
            seen |= fresh
    return [(span.start, span.end) for span in merged(found)]


@lru_cache(maxsize=8192)
def _phrases(text: str, pack: LanguagePack) -> list[Phrase]:
    """Every phrase of a stretch, in order."""
    if pack.language == "zh":
        return [
            run[i : i + _SIZE] for run in _HAN.findall(text) for i in range(len(run) - _SIZE + 1)
        ]
    lower = [word for word in _WORD.findall(text.lower()) if word not in pack.function_words]
    return list(zip(lower, lower[1:], lower[2:], strict=False))


def _repeats(text: str, seen: Container[Phrase], pack: LanguagePack) -> Iterator[Span]:
    """The spans of a stretch's phrases that were seen before, or earlier in it."""
    here: set[Phrase] = set()
    for phrase, span in zip(_phrases(text, pack), _places(text, pack), strict=True):
        if phrase in seen or phrase in here:
            yield span
        here.add(phrase)


def _places(text: str, pack: LanguagePack) -> list[Span]:
    """Where the phrases of `_phrases` stand."""
    if pack.language == "zh":
        return [
            Span(i, i + _SIZE)
            for run in _HAN.finditer(text)
            for i in range(run.start(), run.end() - _SIZE + 1)
        ]
    words = [m for m in _WORD.finditer(text) if m[0].lower() not in pack.function_words]
    return [Span(a.start(), c.end()) for a, c in zip(words, words[2:], strict=False)]
