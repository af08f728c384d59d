"""Phrases that come back: three content words in a row, or six Chinese characters."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from studio.text.language import LanguagePack
from studio.text.lexicon import small
from studio.text.reading import ParagraphReading, Reading
from studio.text.spans import Span, merged

_WORD = re.compile(r"[^\W\d_]+(?:['’]+[^\W\d_]+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_HAN = re.compile("[\u3400-\u9fff]{6,}")
_ONE_HAN = re.compile("[\u3400-\u9fff]")
_SIZE = 6
"""Characters in a Chinese phrase; in the other languages it has three words."""
_MARKS = '.,!?…;:—–-“”"()'

Phrase = int
"""The hash of its words: quicker to keep and to compare than they are, equal when they are."""


def repeated_phrases(reading: Reading) -> list[tuple[int, int]]:
    """Where a phrase of narration stands for the second time and after, in order.

    Overlapping repeats are one longer phrase. Phrases do not cross a paragraph
    or speech; words without content (see the pack) are left out of them.
    """
    seen: set[Phrase] = set()
    found: list[tuple[int, int]] = []
    for paragraph, part in reading.parts:
        told = phrases(part, reading.pack)
        before, known = seen.intersection(told), len(seen)
        seen.update(told)
        if before or len(seen) - known < len(told):
            found += [
                (paragraph.start + start, paragraph.start + end)
                for start, end in repeats(part, before, reading.pack)
            ]
    return found


def phrases(part: ParagraphReading, pack: LanguagePack) -> list[Phrase]:
    """Every phrase of a paragraph's narration, in order; found once."""
    if part.phrases is None:
        part.phrases = [
            phrase for span in part.narration for phrase in _phrases(span.of(part.text), pack)
        ]
    return part.phrases


def places(part: ParagraphReading, pack: LanguagePack) -> list[Span]:
    """Where each of the paragraph's phrases stands."""
    return [
        span.moved(stretch.start)
        for stretch in part.narration
        for span in _places(stretch.of(part.text), pack)
    ]


def repeats(part: ParagraphReading, seen: Container[Phrase], pack: LanguagePack) -> list[Span]:
    """Where the paragraph's phrases stand that were seen before, or earlier in it."""
    return merged(_repeats(part, seen, pack))


def runs_of_words(part: ParagraphReading, pack: LanguagePack) -> tuple[list[int], list[Span]]:
    """Every long run of words of a paragraph's narration as a number, and where it stands.

    Eight words (en), six (ko) or fourteen Chinese characters; words without
    content count here, as does nothing but the words.
    """
    found: list[int] = []
    where: list[Span] = []
    for stretch in part.narration:
        text = small(stretch.of(part.text))
        pattern, size = (_ONE_HAN, 14) if pack.language == "zh" else (_WORD, 8)
        size = 6 if pack.language == "ko" else size
        words = list(pattern.finditer(text))
        told = [_bare(match[0]) for match in words]
        found += [hash(tuple(told[i : i + size])) for i in range(len(told) - size + 1)]
        where += [
            Span(stretch.start + a.start(), stretch.start + b.end())
            for a, b in zip(words, words[size - 1 :], strict=False)
        ]
    return found, where


def _repeats(part: ParagraphReading, seen: Container[Phrase], pack: LanguagePack) -> Iterator[Span]:
    here: set[Phrase] = set()
    for phrase, span in zip(phrases(part, pack), places(part, pack), strict=True):
        if phrase in seen or phrase in here:
            yield span
        here.add(phrase)


def _phrases(text: str, pack: LanguagePack) -> list[Phrase]:
    """Every phrase of a stretch, in order."""
    if pack.language == "zh":
        return [
            hash(run[i : i + _SIZE])
            for run in _HAN.findall(text)
            for i in range(len(run) - _SIZE + 1)
        ]
    told = [word for word in _words(text) if word not in pack.function_words]
    return list(map(hash, zip(told, told[1:], told[2:], strict=False)))


def _words(text: str) -> list[str]:
    """The words of `_WORD` in small letters and without apostrophes."""
    text = small(text)
    plain = text.replace("’", "").replace("'", "")
    for mark in _MARKS:
        plain = plain.replace(mark, " ")
    words = plain.split()
    if "".join(words).isalpha():
        return words
    return [
        part for word in words for part in ((word,) if word.isalpha() else _LETTERS.findall(word))
    ]


def _bare(word: str) -> str:
    return word.replace("’", "").replace("'", "")


def _places(text: str, pack: LanguagePack) -> list[Span]:
    """Where the phrases of `_phrases` stand."""
    if pack.language == "zh":
        return [
            Span(i, i + _SIZE)
            for run in _HAN.finditer(text)
            for i in range(run.start(), run.end() - _SIZE + 1)
        ]
    told = [m for m in _WORD.finditer(small(text)) if _bare(m[0]) not in pack.function_words]
    return [Span(a.start(), c.end()) for a, c in zip(told, told[2:], strict=False)]
