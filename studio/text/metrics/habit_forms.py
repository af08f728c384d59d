"""Forms that a reader tires of, wherever a text has too many of them: where each one stands.

None is a fault by itself. What is usual is in the table of human fiction
(studio/text/language/background.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from studio.text.metrics.habits import contrasts, dashes, is_told
from studio.text.prose.parse import ParagraphReading, Reading, Sentence

Place = tuple[int, int]
_SHORT = {"en": 6, "ko": 14, "zh": 10}
"""The most units of a paragraph that is one short sentence."""
_IN_A_ROW = 3
_DENIALS = {
    "en": re.compile(
        r"\b(?:No|Not)\b [^.!?,;:“”\n]{1,40}[.,;] (?:[Nn]o|[Nn]ot|[Nn]or)\b(?! (?:doubt|one))"
        r"[^.!?,;:“”\n]{1,40}[.,;!?—]"
    ),
    "ko": re.compile(
        r"[가-힣]+도 (?:아니|없|않)[가-힣]{1,2}[,.]? (?:[가-힣]+ ){0,2}[가-힣]+도 (?:아니|없|않)"
    ),
    "zh": re.compile(
        "(没有|沒有|不是|没|不)[^，。！？；：“”\n]{1,12}[，。、](?:也)?\\1[^，。！？；：“”\n]{1,12}[，。；！？]"
    ),
}
"""Two denials in a row: No wind. No birds."""
_TAIL = re.compile(
    r"(?<=\w), (?:\w+ly )?(?!during|nothing|something|anything|everything|being|having|king|ring"
    r"|evening|morning|ceiling|according)[a-z]{2,}ing\b[^.!?;:“”\n]{0,80}[.!?]"
)
_TAGS = {
    "en": re.compile(
        r"\b(?:said|asked|replied|answered|whispered|murmured|muttered|repeated|added|continued),"
        r" (?:his|her|their|its|my|the) \w+"
    ),
    "zh": re.compile("(?:[^，。！？；：“”「」\\s]{1,5})(?:说|說|问|問|道)。"),
}


def _each(
    find: Callable[[ParagraphReading, Reading], Iterator[Place]],
) -> Callable[[Reading], list[Place]]:
    """Looks through every paragraph of prose."""

    def places(reading: Reading) -> list[Place]:
        return [
            (paragraph.start + start, paragraph.start + end)
            for paragraph, part in reading.prose
            if reading.forms[paragraph.scene, paragraph.number] == "prose"
            for start, end in find(part, reading)
        ]

    return places


def _contrast(part: ParagraphReading, reading: Reading) -> Iterator[Place]:
    return ((span.start, span.end) for span in contrasts(part, reading.pack))


def _dash(part: ParagraphReading, reading: Reading) -> Iterator[Place]:
    return ((span.start, span.end) for span in dashes(part, reading.pack))


def _matching(pattern: re.Pattern[str], part: ParagraphReading) -> Iterator[Place]:
    for stretch in part.narration:
        for match in pattern.finditer(part.text, stretch.start, stretch.end):
            yield match.start(), match.end()


def _denial(part: ParagraphReading, reading: Reading) -> Iterator[Place]:
    return _matching(_DENIALS[reading.pack.language], part)


def _tail(part: ParagraphReading, reading: Reading) -> Iterator[Place]:
    return _matching(_TAIL, part) if reading.pack.language == "en" else iter(())


def _tag(part: ParagraphReading, reading: Reading) -> Iterator[Place]:
    pattern = _TAGS.get(reading.pack.language)
    return _matching(pattern, part) if part.speech and pattern else iter(())


def _short(part: ParagraphReading, reading: Reading) -> Iterator[Place]:
    if is_told(part) and len(part.sentences) == 1 and part.length <= _SHORT[reading.pack.language]:
        yield part.sentences[0].start, part.sentences[0].end


def _opening(sentence: Sentence) -> str:
    return sentence.opening if sentence.narrated else ""


def _alike(part: ParagraphReading, reading: Reading) -> Iterator[Place]:
    for word, group in groupby(part.sentences, _opening):
        row = list(group)
        if word and len(row) >= _IN_A_ROW:
            yield row[0].start, row[-1].end


FORMS: Mapping[str, Callable[[Reading], list[Place]]] = {
    "contrast": _each(_contrast),
    "denial": _each(_denial),
    "dash": _each(_dash),
    "participle": _each(_tail),
    "short-paragraph": _each(_short),
    "openings": _each(_alike),
    "tag": _each(_tag),
}
"""Maps each form to what finds it."""
