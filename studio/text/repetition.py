"""Phrases that come back: three content words in a row, or six Chinese characters."""

from __future__ import annotations

import re

from studio.text.language import LanguagePack
from studio.text.reading import ParagraphReading, Reading
from studio.text.spans import Span, merged, shared

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_HAN = re.compile("[\u3400-\u9fff]+")
_WORDS_IN_PHRASE = 3
_CHARACTERS_IN_PHRASE = 6


def repeated_phrases(reading: Reading) -> list[tuple[int, int]]:
    """Where a phrase of narration stands for the second time and after, in order.

    Overlapping repeats are one longer phrase. Phrases do not cross a sentence
    or speech; words without content (see the pack) are left out of them.
    """
    seen: set[tuple[str, ...]] = set()
    found: list[Span] = []
    for paragraph, part in reading.parts:
        for phrase, span in _phrases(part, reading.pack):
            if phrase in seen:
                found.append(span.moved(paragraph.start))
            seen.add(phrase)
    return [(span.start, span.end) for span in merged(found)]


def _phrases(part: ParagraphReading, pack: LanguagePack) -> list[tuple[tuple[str, ...], Span]]:
    stretches = shared([sentence.span for sentence in part.sentences], part.narration)
    return [p for span in stretches for p in _in_stretch(part.text, span.start, span.end, pack)]


def _in_stretch(
    text: str, start: int, end: int, pack: LanguagePack
) -> list[tuple[tuple[str, ...], Span]]:
    if pack.language == "zh":
        size = _CHARACTERS_IN_PHRASE
        return [
            ((text[i : i + size],), Span(i, i + size))
            for run in _HAN.finditer(text, start, end)
            for i in range(run.start(), run.end() - size + 1)
        ]
    words = [
        (match[0].lower(), match.start(), match.end())
        for match in _WORD.finditer(text, start, end)
        if match[0].lower() not in pack.function_words
    ]
    size = _WORDS_IN_PHRASE
    windows = [words[i : i + size] for i in range(len(words) - size + 1)]
    return [
        (tuple(word for word, _, _ in window), Span(window[0][1], window[-1][2]))
        for window in windows
    ]
