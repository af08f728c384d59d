"""Habits of a writer: contrasts, dashes, favourite openings and subjects, one-sentence paragraphs.

None is a fault by itself; each is counted in narration, with its places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from studio.text.language.packs import LanguagePack
from studio.text.language.speech_tags import bookisms
from studio.text.prose.parse import ParagraphReading, Reading
from studio.text.spans import Span

_DASH = re.compile("[—―–-](?:(?<=[—―])[—―]*|(?<=–)–*|(?<=-)-*)")
"""Matches a row of one kind; the set of all dashes comes first because it makes the search fast."""
_DASHES = ("—", "–", "―", "--", " -")


def contrasts(part: ParagraphReading, pack: LanguagePack) -> list[Span]:
    """Returns where the narration says what a thing is not before it says what it is."""
    for hint in pack.contrast.hints:
        if hint in part.text:
            return _matches(pack.contrast.pattern, part)
    return []


def dashes(part: ParagraphReading, pack: LanguagePack) -> list[Span]:
    """Returns the dashes of narration: a row of them is one, a hyphen inside a word is none."""
    for dash in _DASHES:
        if dash in part.text:
            return [span for span in _matches(_DASH, part) if _is_dash(part.text, span)]
    return []


def speech_tags(part: ParagraphReading, pack: LanguagePack) -> list[Span]:
    """Returns the verbs of speech tags other than said and asked."""
    return bookisms(part.text, part.speech, part.hits, pack.tags) if part.speech else []


def _is_dash(text: str, span: Span) -> bool:
    """Whether a mark separates words: between spaces, doubled between letters, – after a word."""
    mark = text[span.start]
    if mark in "—―":
        return True
    before, after = text[span.start - 1 : span.start], text[span.end : span.end + 1]
    if mark == "–":
        return after.isspace()
    if before.isspace():
        return after.isspace()
    return span.end - span.start > 1 and before.isalnum() and after.isalnum()


def _matches(pattern: re.Pattern[str], part: ParagraphReading) -> list[Span]:
    return [
        Span(match.start(), match.end())
        for stretch in part.narration
        for match in pattern.finditer(part.text, stretch.start, stretch.end)
    ]


def is_told(part: ParagraphReading) -> bool:
    """Whether the paragraph is narration alone."""
    return not part.speech and bool(part.sentences)


def commonest_opening(openings: Counter[str]) -> tuple[str, int]:
    """Returns the most common opening word and its count; the alphabetically first of several."""
    if not openings:
        return "", 0
    most = max(openings.values())
    return min(word for word, count in openings.items() if count == most), most


def openings_of(parts: Iterable[ParagraphReading]) -> Counter[str]:
    """Counts the sentences of narration by their opening word."""
    openings = Counter(s.opening for part in parts for s in part.sentences)
    del openings[""]
    return openings


def sentences_opening(reading: Reading, word: str) -> list[tuple[int, int]]:
    """Returns the places of the sentences that open with that word."""
    return [
        (paragraph.start + s.start, paragraph.start + s.end)
        for paragraph, part in reading.prose
        for s in part.sentences
        if s.opening == word
    ]


@lru_cache(maxsize=4096)
def subject_of(opening: str, pack: LanguagePack) -> str:
    """Returns the subject of a sentence with this first word; empty where the word does not show
    it.

    He and his are one subject, as are 그는 and 그가.
    """
    subject = pack.subjects.of.get(opening)
    if subject is not None:
        return subject
    if pack.subjects.particles:
        ending = next((p for p in pack.subjects.particles if opening.endswith(p)), "")
        return opening[: -len(ending)] if ending else ""
    return "" if opening in pack.function_words else opening
