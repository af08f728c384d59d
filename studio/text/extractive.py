"""What code alone can extract from a chapter: a summary in its own sentences, and who appears."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from studio.story.chapter import Chapter
from studio.text.language.names import NameIndex
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import ParagraphReading, Reading, read

_WORD = re.compile(r"[^\W\d_]{2,}")
_HAN = re.compile("[\u3400-\u9fff]+")
_OPENS_SCENE, _CLOSES_SCENE = 1.6, 1.4
_SHORT = {"en": 24, "ko": 10, "zh": 8}
"""The minimum number of letters in a sentence worth quoting."""
_OF_A_SHORT_ONE = 0.3
_A_SCENE = 2
"""The number of sentences taken from each scene before the rest of the chapter competes."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    number: int
    scene: int
    text: str
    terms: frozenset[str]
    weight: float


def extractive_summary(chapter: Chapter, pack: LanguagePack, sentences: int = 5) -> str:
    """Returns up to `sentences` of the chapter's own narrated sentences, in order.

    Two from every scene come first, then the best of the rest: those that open or close a scene and
    those with the chapter's frequent words. Speech is omitted, because a line out of its dialogue
    is meaningless. The same text always yields the same summary.
    """
    candidates = _candidates(read(chapter.text, pack))
    often = Counter(term for candidate in candidates for term in candidate.terms)

    def score(candidate: _Candidate) -> float:
        total = sum(often[term] - 1 for term in candidate.terms)
        return candidate.weight * (1 + total / (1 + len(candidate.terms)))

    ranked = sorted(candidates, key=lambda c: (-score(c), c.number))
    placed: Counter[int] = Counter()
    first: list[_Candidate] = []
    later: list[_Candidate] = []
    for candidate in ranked:
        placed[candidate.scene] += 1
        (first if placed[candidate.scene] <= _A_SCENE else later).append(candidate)
    best = [*first, *later][:sentences]
    joiner = "" if pack.language == "zh" else " "
    return joiner.join(c.text for c in sorted(best, key=lambda c: c.number))


def appearances(chapter: Chapter, names: NameIndex, pack: LanguagePack) -> dict[str, str]:
    """Maps the slug of everybody and everything that the chapter names, in any form of the name, to
    the first sentence that does."""
    first_sentences: dict[str, str] = {}
    for paragraph, part in read(chapter.text, pack).parts:
        for slug, place in names.slugs_in(paragraph.text).items():
            if slug not in first_sentences:
                spans = [sentence.span for sentence in part.sentences]
                first_sentences[slug] = next(s for s in spans if place < s.end).of(paragraph.text)
    return first_sentences


def _candidates(reading: Reading) -> list[_Candidate]:
    candidates: list[_Candidate] = []
    for scene in reading.chapter.scenes:
        parts = [part for p, part in reading.parts if p.scene == scene.number]
        sentences = [text for part in parts for text in _narration(part)]
        sentences = sentences or [s.span.of(part.text) for part in parts for s in part.sentences]
        for place, text in enumerate(sentences):
            weight = _OPENS_SCENE if place == 0 else 1.0
            weight = _CLOSES_SCENE if place and place == len(sentences) - 1 else weight
            if sum(map(str.isalpha, text)) < _SHORT[reading.pack.language]:
                weight *= _OF_A_SHORT_ONE
            line = " ".join(text.split())
            terms = _terms(line, reading.pack)
            candidates.append(_Candidate(len(candidates), scene.number, line, terms, weight))
    return candidates


def _narration(part: ParagraphReading) -> list[str]:
    """Returns the sentences of a paragraph that contain no speech."""
    return [
        s.span.of(part.text)
        for s in part.sentences
        if not any(s.span.start < quote.end and quote.start < s.span.end for quote in part.speech)
    ]


def _terms(text: str, pack: LanguagePack) -> frozenset[str]:
    if pack.language == "zh":
        runs = _HAN.findall(text)
        return frozenset(run[i : i + 2] for run in runs for i in range(len(run) - 1))
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(word for word in words if word not in pack.function_words)
