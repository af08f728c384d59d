"""What code alone can say of a chapter: a summary of its own sentences, and who appears."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from studio.story.chapter import Chapter
from studio.text.language import LanguagePack
from studio.text.names import first_mention
from studio.text.reading import Reading, read

_WORD = re.compile(r"[^\W\d_]{2,}")
_HAN = re.compile("[\u3400-\u9fff]+")
_OPENS_SCENE, _CLOSES_SCENE = 1.6, 1.4
_SHORT = 8
"""Non-space characters below which a sentence says too little."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    number: int
    text: str
    terms: frozenset[str]
    weight: float


def extractive_summary(chapter: Chapter, pack: LanguagePack, sentences: int = 5) -> str:
    """Up to `sentences` of the chapter's own sentences, in their order.

    Those that open or close a scene and those full of the chapter's frequent
    words are taken; the same text always gives the same summary.
    """
    candidates = _candidates(read(chapter.text, pack))
    often = Counter(term for candidate in candidates for term in candidate.terms)

    def score(candidate: _Candidate) -> float:
        total = sum(often[term] - 1 for term in candidate.terms)
        return candidate.weight * (1 + total / (1 + len(candidate.terms)))

    best = sorted(candidates, key=lambda c: (-score(c), c.number))[:sentences]
    joiner = "" if pack.language == "zh" else " "
    return joiner.join(c.text for c in sorted(best, key=lambda c: c.number))


def appearances(
    chapter: Chapter, characters: Mapping[str, Iterable[str]], pack: LanguagePack
) -> dict[str, str]:
    """Slug to the first sentence that names the character, for those who are named.

    `characters` maps a slug to the name and aliases.
    """
    found: dict[str, str] = {}
    names = {slug: tuple(known) for slug, known in characters.items()}
    for paragraph, part in read(chapter.text, pack).parts:
        for slug, known in names.items():
            place = -1 if slug in found else first_mention(paragraph.text, known)
            if place >= 0:
                spans = [sentence.span for sentence in part.sentences]
                found[slug] = next(s for s in spans if place < s.end).of(paragraph.text)
    return {slug: found[slug] for slug in characters if slug in found}


def _candidates(reading: Reading) -> list[_Candidate]:
    found: list[_Candidate] = []
    for scene in reading.chapter.scenes:
        parts = [part for p, part in reading.parts if p.scene == scene.number]
        told = [s.span.of(part.text) for part in parts for s in part.sentences if s.narrated] or [
            s.span.of(part.text) for part in parts for s in part.sentences
        ]
        told = [text for text in told if sum(map(str.isalnum, text)) >= _SHORT] or told[:1]
        for place, text in enumerate(told):
            weight = _OPENS_SCENE if place == 0 else 1.0
            weight = _CLOSES_SCENE if place and place == len(told) - 1 else weight
            line = " ".join(text.split())
            found.append(_Candidate(len(found), line, _terms(line, reading.pack), weight))
    return found


def _terms(text: str, pack: LanguagePack) -> frozenset[str]:
    if pack.language == "zh":
        runs = _HAN.findall(text)
        return frozenset(run[i : i + 2] for run in runs for i in range(len(run) - 1))
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(word for word in words if word not in pack.function_words)
