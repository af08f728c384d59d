"""A text read once for all metrics: its paragraphs with speech, sentences and listed words.

Readings of paragraphs are kept, so that after an edit only what changed is read
again. Offsets inside a paragraph count from its own first character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from studio.story.chapter import Chapter, Paragraph
from studio.text.dialogue import dialogue_by_paragraph
from studio.text.language import LanguagePack
from studio.text.lexicon import Hit
from studio.text.segmentation import sentences
from studio.text.spans import Span, gaps, inside

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_HAN_OR_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\W_\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and how it begins and closes."""

    span: Span
    narrated: bool
    """Whether it closes in narration; a spoken one counts in no metric of sentences."""
    closing: str = ""
    """Its class of ending (see EndingRule); empty when it is like no other."""
    opening: str = ""
    length: int = 0
    """In the pack's units."""


@dataclass(frozen=True, slots=True)
class ParagraphReading:
    """Everything the metrics ask of one paragraph."""

    text: str
    speech: tuple[Span, ...]
    narration: tuple[Span, ...]
    sentences: tuple[Sentence, ...]
    units: int
    """Narration, in the pack's units."""
    length: int
    """The whole paragraph, in the pack's units."""
    characters: int
    """Non-space characters, speech included."""
    spoken: int
    """Non-space characters of speech, marks included."""
    hits: tuple[Hit, ...]
    """Listed words in narration."""
    leaks: tuple[Span, ...]
    """Working notes and machine remarks, in speech or not."""

    def of_kind(self, kind: str) -> list[Hit]:
        """The hits of one list."""
        return [hit for hit in self.hits if hit.kind == kind]


@dataclass(frozen=True)
class Reading:
    """A whole text, read."""

    text: str
    """In NFC; what spans point into."""
    pack: LanguagePack

    @cached_property
    def chapter(self) -> Chapter:
        """The text's scenes and paragraphs; title and scene breaks are in no paragraph."""
        return Chapter(self.text)

    @cached_property
    def parts(self) -> tuple[tuple[Paragraph, ParagraphReading], ...]:
        """Each paragraph with what was read in it."""
        paragraphs = self.chapter.paragraphs
        speech = dialogue_by_paragraph([p.text for p in paragraphs], self.pack)
        return tuple(
            (p, read_paragraph(p.text, spans, self.pack, number == 0))
            for number, (p, spans) in enumerate(zip(paragraphs, speech, strict=True))
        )

    @cached_property
    def units(self) -> int:
        """Narration of the whole text, in the pack's units."""
        return sum(part.units for _, part in self.parts)

    def hits(self, *kinds: str) -> Iterator[tuple[int, int]]:
        """Start and end in the text of every hit of these lists, in order, none overlapping."""
        for paragraph, part in self.parts:
            reached = 0
            for hit in part.hits:
                if hit.kind in kinds and hit.start >= reached:
                    reached = hit.end
                    yield paragraph.start + hit.start, paragraph.start + hit.end


@lru_cache(maxsize=16)
def read(text: str, pack: LanguagePack) -> Reading:
    """The reading of a text, normalised to NFC."""
    return Reading(unicodedata.normalize("NFC", text), pack)


@lru_cache(maxsize=8192)
def read_paragraph(
    text: str, speech: tuple[Span, ...], pack: LanguagePack, first: bool = False
) -> ParagraphReading:
    """One paragraph, its speech already found; `first` is the first of a chapter."""
    narration = tuple(gaps(speech, len(text)))
    spoken = sum(filled(span.of(text)) for span in speech)
    characters = filled(text)
    found = pack.lexicon.find(text)
    if pack.unit == "words":
        units = sum(count_words(span.of(text), pack) for span in narration)
        length = count_words(text, pack) if speech else units
    else:
        units, length = characters - spoken, characters
    return ParagraphReading(
        text=text,
        speech=speech,
        narration=narration,
        sentences=tuple(_sentence(text, s, speech, pack) for s in sentences(text, pack)),
        units=units,
        length=length,
        characters=characters,
        spoken=spoken,
        hits=tuple(h for h in found if h.kind != "leak" and not inside(h.start, speech)),
        leaks=_leaks(text, [h for h in found if h.kind == "leak"], speech, pack, first),
    )


def filled(text: str) -> int:
    """How many characters of the text are not white space."""
    return sum(map(len, text.split()))


def count_words(text: str, pack: LanguagePack) -> int:
    """Words: as written between spaces and dashes (en), between spaces (ko), characters (zh)."""
    if pack.language == "zh":
        return len(_HAN_OR_WORD.findall(text))
    if pack.language == "ko":
        return sum(1 for word in text.split() if any(map(str.isalnum, word)))
    return len(_WORD.findall(text))


def units_in(text: str, pack: LanguagePack) -> int:
    """Length in the pack's units."""
    return count_words(text, pack) if pack.unit == "words" else filled(text)


def unit_starts(text: str, span: Span, pack: LanguagePack) -> list[int]:
    """Where each unit of the span begins."""
    if pack.unit == "words":
        return [match.start() for match in _WORD.finditer(text, span.start, span.end)]
    return [i for i in range(span.start, span.end) if not text[i].isspace()]


def _sentence(text: str, span: Span, speech: Sequence[Span], pack: LanguagePack) -> Sentence:
    words = span.of(text)
    close = len(words)
    while close and not words[close - 1].isalnum():
        close -= 1
    if not close or inside(span.start + close - 1, speech):
        return Sentence(span, narrated=False)
    opening = "" if inside(span.start, speech) else _opening(words, pack)
    return Sentence(span, True, _closing(words[:close], pack), opening, units_in(words, pack))


def _closing(words: str, pack: LanguagePack) -> str:
    """The class of an ending; `words` ends in a letter or digit."""
    rule = pack.endings
    if rule.kind == "last-word":
        begin = len(words)
        while begin and (words[begin - 1].isalnum() or words[begin - 1] in "'’"):
            begin -= 1
        return words[begin:].lower().strip("'’")
    last = words[-1]
    if rule.kind == "last-particle":
        return last if last in rule.particles else ""
    return last if "가" <= last <= "힣" else ""


def _opening(words: str, pack: LanguagePack) -> str:
    begin = 0
    while begin < len(words) and not words[begin].isalnum():
        begin += 1
    if pack.language == "zh":
        listed = (word for word in pack.endings.openings if words.startswith(word, begin))
        return next(listed, words[begin : begin + 2])
    match = _WORD.match(words, begin)
    return match[0].lower() if match else ""


def _leaks(
    text: str, hits: Sequence[Hit], speech: Sequence[Span], pack: LanguagePack, first: bool
) -> tuple[Span, ...]:
    found = {Span(hit.start, hit.end) for hit in hits}
    patterns = pack.leak_lines if first else pack.leak_lines + pack.leak_headings
    lines = [0] + [match.end() for match in re.finditer("\n", text)]
    for start in lines:
        for pattern in patterns:
            match = pattern.match(text, start)
            if match and not inside(match.start(), speech):
                found.add(Span(match.start(), match.end()))
                break
    return tuple(sorted(found))
