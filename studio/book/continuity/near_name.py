"""A name that stands once in the book and is a letter off one that is known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from studio.book.continuity.book_view import BookView, evidence_of
from studio.story.chapter import Paragraph
from studio.story.continuity import ContinuityFinding, finding
from studio.text.spans import Span

CODE = "near_name"
_SHORTEST = 4
"""Letters of an English name below which a letter more or less is no slip."""
_ENGLISH = re.compile(r"(?<![^\W_])[A-Z][a-z]+(?![^\W_])")
_HANGUL = re.compile(r"[가-힣]+")
_ENDINGS = re.compile(r"(?:에게서|에게|은|는|이|가|을|를|의|와|과|도|만|야|아|로)$")


def near_name(book: BookView, chapter: int) -> Iterator[ContinuityFinding]:
    """Names of people only; a word that is used twice is meant."""
    text = book.text(chapter)
    if text is None or book.pack.language == "zh":
        # Without borders between words a letter off is no evidence in Chinese.
        return
    parts = _parts(book)
    counts = _counts(book)
    for paragraph in text.paragraphs:
        for word, start in _words(paragraph, book.pack.language):
            near = None if word in parts or counts[word] != 1 else _nearest(word, parts)
            if near is not None:
                name, slug = near
                place = Span(start, start + len(word))
                yield finding(
                    CODE,
                    "low",
                    (slug,),
                    f"“{word}” stands once in the book; is it {name}?",
                    (evidence_of(chapter, paragraph, place),),
                )


def _parts(book: BookView) -> dict[str, str]:
    """Each word of the names of people, and of everything else, to the entry it belongs to."""
    return {
        part: slug
        for slug, entry in book.bible.entries.items()
        for name in entry.names
        for part in name.split()
    }


@lru_cache(maxsize=1)
def _counts(book: BookView) -> Counter[str]:
    """How often each word stands in the book; one that is also written small is no name."""
    counts: Counter[str] = Counter()
    for number in book.committed:
        text = book.text(number)
        for paragraph in text.paragraphs if text else ():
            counts.update(word for word, _ in _words(paragraph, book.pack.language))
            counts.update(word.capitalize() for word in re.findall(r"\b[a-z]+\b", paragraph.prose))
    return counts


def _words(paragraph: Paragraph, language: str) -> Iterator[tuple[str, int]]:
    if language == "en":
        for match in _ENGLISH.finditer(paragraph.prose):
            if len(match[0]) >= _SHORTEST:
                yield match[0], match.start()
        return
    for match in _HANGUL.finditer(paragraph.prose):
        word = _ENDINGS.sub("", match[0])
        if len(word) >= 3:
            yield word, match.start()


def _nearest(word: str, parts: dict[str, str]) -> tuple[str, str] | None:
    for part, slug in parts.items():
        if len(part) >= (_SHORTEST if part.isascii() else 3) and _is_one_off(word, part):
            return part, slug
    return None


def _is_one_off(one: str, other: str) -> bool:
    """Whether one letter differs, is missing or too much; in Korean one jamo of a syllable."""
    if not one[:1].isascii():
        return len(one) == len(other) and _jamo_apart(one, other) == 1
    if abs(len(one) - len(other)) > 1 or one == other or not one[0].isascii():
        return False
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    longer, shorter = sorted((one, other), key=len, reverse=True)
    # A plural or a possessive is no slip.
    return not longer.endswith("s") and any(
        longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer))
    )


def _jamo_apart(one: str, other: str) -> int:
    """How many initials, vowels and finals differ between two words of as many syllables."""
    apart = 0
    for a, b in zip(one, other, strict=True):
        x, y = ord(a) - 0xAC00, ord(b) - 0xAC00
        apart += (x // 588 != y // 588) + (x % 588 // 28 != y % 588 // 28) + (x % 28 != y % 28)
    return apart
