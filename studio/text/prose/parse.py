"""A text parsed once for all metrics: its paragraphs with speech, sentences and listed words.

Readings of paragraphs are cached, so after an edit only changed ones are parsed again. Offsets
inside a paragraph are relative to its first character.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import NamedTuple

from studio.story.chapter import Chapter, Paragraph
from studio.story.lengths import Unit, length_of
from studio.story.notes import mask
from studio.text.language.lexicon import (
    LEAK,
    LexiconHit,
    is_even,
    is_told_by_one,
    leave_out_unreported,
    says_i,
)
from studio.text.language.packs import EndingRule, LanguagePack
from studio.text.prose.dialogue import dialogue_by_paragraph
from studio.text.prose.forms import MEASURED, ParagraphForm, forms
from studio.text.prose.segmentation import bounds
from studio.text.spans import Span, gaps, inside

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_BETWEEN_DASHES = re.compile(r"(?:(?!--)[^\s—–])+")
_BARE = re.compile(r" [\W_]+ ")
_HAN_OR_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\W_\u3400-\u9fff]+")
_LAST_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*$")
_ITALICS = re.compile(r"(?<!\*)\*++[^\s*][^*]*\*")
_FEWEST_WRITTEN = 3
_FEWEST_OF_OTHERS = 5
_NARRATION = 6
"""The minimum number of characters between speech that are narration rather than a tag."""
_LONGEST_WORD = 32
_LONGEST_NOUN = 5
_AROUND = "“”‘’\"'「」『』《》〈〉()（）[]【】.,!?…—–-;:。，！？；：、～~ \t\r\n\u3000"
"""Marks around a sentence's first and last word."""


class Sentence(NamedTuple):
    """One sentence and how it begins and closes."""

    start: int
    end: int
    narrated: bool
    """Whether the sentence closes in narration; a spoken one counts in no metric of sentences."""
    closing: str = ""
    """The class of the sentence's ending (see EndingRule); empty when it matches no other."""
    opening: str = ""
    length: int = 0
    """The length in non-space characters (ko, zh) or words between spaces (en)."""

    @property
    def span(self) -> Span:
        """The span of the sentence in its paragraph."""
        return Span(self.start, self.end)


_sentence: Callable[[tuple[int, int, bool, str, str, int]], Sentence] = partial(
    tuple.__new__, Sentence
)
_SAID_ALOUD = (False, "", "", 0)
"""What a sentence is beside its place that closes in speech."""
_NO_SENTENCE = Sentence(0, 0, *_SAID_ALOUD)


@dataclass(eq=False, slots=True)
class ParagraphReading:
    """Everything the metrics need from one paragraph; cached, shared and never changed."""

    text: str
    speech: tuple[Span, ...]
    narration: tuple[Span, ...]
    sentences: tuple[Sentence, ...]
    units: int
    """The length of the narration, in the pack's units."""
    length: int
    """The length of the whole paragraph, in the pack's units."""
    characters: int
    """The number of non-space characters, speech included."""
    spoken: int
    """The number of non-space characters of speech, marks included."""
    hits: tuple[LexiconHit, ...]
    """The listed words in narration."""
    leaks: tuple[Span, ...]
    """Working notes and machine remarks, in speech or not."""
    phrases: list[int] | None = None
    """The phrases of the narration, computed on first use (see `repetition.phrases`)."""

    def has(self, kind: str) -> bool:
        """Whether the narration contains a word of that list."""
        return any(hit.kind == kind for hit in self.hits)


@dataclass(frozen=True)
class Reading:
    """A whole text, parsed once for all metrics."""

    text: str
    """The text in NFC, with notes to people and front matter blanked out; spans refer to it."""
    pack: LanguagePack

    @cached_property
    def chapter(self) -> Chapter:
        """The text's scenes and paragraphs; title and scene breaks are in no paragraph."""
        return Chapter(self.text)

    @cached_property
    def forms(self) -> dict[tuple[int, int], ParagraphForm]:
        """The form of each paragraph, by scene and number (see forms.py)."""
        paragraphs = self.chapter.paragraphs
        kinds = forms([p.text for p in paragraphs], self.pack.language)
        return {
            (p.scene, p.number): "note" if _is_note(p.text, kind, self.pack) else kind
            for p, kind in zip(paragraphs, kinds, strict=True)
        }

    @cached_property
    def parts(self) -> tuple[tuple[Paragraph, ParagraphReading], ...]:
        """Each paragraph with its reading, without headings, block quotes, tables and footnotes;
        what is of no metric has no speech."""
        return tuple(
            (p, read_paragraph(p.text, spans, self.pack, number == 0, self.is_told_by_one))
            for number, (p, spans) in enumerate(self._paragraphs_with_speech)
        )

    @cached_property
    def prose(self) -> tuple[tuple[Paragraph, ParagraphReading], ...]:
        """Those of the parts that metrics count in: prose, lists and scripts (forms.py)."""
        return tuple((p, part) for p, part in self.parts if self._is_measured(p))

    def _is_measured(self, paragraph: Paragraph) -> bool:
        return self.forms[paragraph.scene, paragraph.number] in MEASURED

    @cached_property
    def _paragraphs_with_speech(self) -> tuple[tuple[Paragraph, tuple[Span, ...]], ...]:
        """Each paragraph of `parts` with the speech in it."""
        paragraphs = [
            p for p in self.chapter.paragraphs if self.forms[p.scene, p.number] != "apart"
        ]
        prose = list(filter(self._is_measured, paragraphs))
        quoted = dialogue_by_paragraph([p.text for p in prose], self.pack)
        speech = {p.start: self._speech(p, s) for p, s in zip(prose, quoted, strict=True)}
        return tuple((p, speech.get(p.start, ())) for p in paragraphs)

    @cached_property
    def is_told_by_one(self) -> bool:
        """Whether the text is told in the first person."""
        return is_told_by_one(self._saying_i)

    @cached_property
    def _saying_i(self) -> tuple[bool, ...]:
        """For each paragraph with narration, whether it contains the first person."""
        rows = []
        for paragraph, spans in self._paragraphs_with_speech:
            if not self._is_measured(paragraph):
                continue
            text = paragraph.text
            narration = [s for s in gaps(spans, len(text)) if s.end - s.start >= _NARRATION]
            if narration:
                italics = _italics(text) if "*" in text else []
                rows.append(says_i(text, narration, italics, self.pack.perception))
        return tuple(rows)

    @property
    def is_told_of_others(self) -> bool:
        """Whether the text is told in the third person: of at least five paragraphs of narration
        hardly any contains the first."""
        rows = self._saying_i
        return len(rows) >= _FEWEST_OF_OTHERS and sum(rows) <= len(rows) // 10

    def _speech(self, paragraph: Paragraph, quoted: tuple[Span, ...]) -> tuple[Span, ...]:
        """Returns the speech in a paragraph: in a script everything after the name."""
        if self.forms[paragraph.scene, paragraph.number] != "script":
            return quoted
        return (Span(0, len(paragraph.text)),)

    @cached_property
    def units(self) -> int:
        """The length of the whole text's narration, in the pack's units."""
        return sum(part.units for _, part in self.prose)

    @cached_property
    def narrated_sentences(self) -> tuple[Sentence, ...]:
        """The sentences that close in narration, in order."""
        return tuple([s for s in self.sentences if s.narrated])

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence of the prose in order, with an empty one between scenes."""
        sentences: list[Sentence] = []
        scene = 1
        for paragraph, part in self.prose:
            if paragraph.scene != scene:
                scene = paragraph.scene
                sentences.append(_NO_SENTENCE)
            sentences += part.sentences
        return tuple(sentences)

    def prose_with(self, words: Iterable[str]) -> Iterator[tuple[Paragraph, ParagraphReading]]:
        """Yields the parts of the prose in which one of the words stands. The whole text is looked
        through once a word, for most words stand in few parts."""
        starts = [paragraph.start for paragraph, _ in self.prose]
        numbers: set[int] = set()
        for word in words:
            place = self.text.find(word)
            while place >= 0:
                number = bisect_right(starts, place)
                numbers.add(number - 1)
                behind = starts[number] if number < len(starts) else len(self.text)
                place = self.text.find(word, behind)
        for number in sorted(numbers - {-1}):
            yield self.prose[number]

    @cached_property
    def _hits(self) -> dict[str, list[tuple[int, int]]]:
        places: dict[str, list[tuple[int, int]]] = {}
        for paragraph, part in self.prose:
            for start, end, kind in part.hits:
                place = (paragraph.start + start, paragraph.start + end)
                places.setdefault(kind, []).append(place)
        return places

    def hits(self, *kinds: str) -> list[tuple[int, int]]:
        """Returns start and end in the text of all hits of these lists, in order and disjoint."""
        places = [place for kind in kinds for place in self._hits.get(kind, ())]
        if len(kinds) == 1:
            return places
        return _apart(places)


def _apart(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns places in order; of overlapping ones the first, and of those the longest."""
    disjoint: list[tuple[int, int]] = []
    for place in sorted(places, key=lambda p: (p[0], -p[1])):
        if not disjoint or place[0] >= disjoint[-1][1]:
            disjoint.append(place)
    return disjoint


@lru_cache(maxsize=16)
def read(text: str, pack: LanguagePack) -> Reading:
    """Parses a text, normalised to NFC, without its notes to people."""
    return Reading(mask(unicodedata.normalize("NFC", text)), pack)


@lru_cache(maxsize=8192)
def read_paragraph(
    text: str,
    speech: tuple[Span, ...],
    pack: LanguagePack,
    first: bool = False,
    told_by_one: bool = False,
) -> ParagraphReading:
    """Parses one paragraph with known speech; `first` is the first of a chapter, and `told_by_one`
    says that the chapter is told in the first person."""
    narration = tuple(gaps(speech, len(text)))
    characters = count_filled(text)
    spoken = characters - sum(count_filled(span.of(text)) for span in narration) if speech else 0
    if pack.unit == "words":
        units = sum(count_words(span.of(text), pack) for span in narration)
        length = count_words(text, pack) if speech else units
    else:
        units, length = characters - spoken, characters
    listed_words = (pack.lexicon if narration else pack.lexicon.of_notes).find(text)
    notes = [hit for hit in listed_words if hit.kind == LEAK]
    hits = [hit for hit in listed_words if hit.kind != LEAK] if notes else listed_words
    if speech and hits:
        hits = [hit for hit in hits if not inside(hit.start, speech)]
    if hits:
        italics = _italics(text) if "*" in text else []
        hits = leave_out_unreported(
            text, hits, narration, italics, pack.perception, told_by_one=told_by_one
        )
    return ParagraphReading(
        text=text,
        speech=speech,
        narration=narration,
        sentences=sentences_of(text, speech, pack),
        units=units,
        length=length,
        characters=characters,
        spoken=spoken,
        hits=tuple(hits),
        leaks=_leaks(text, notes, speech, pack, first),
    )


def _italics(text: str) -> list[Span]:
    """Returns spans of italics long enough to be a thought, a letter or a sign."""
    return [
        Span(match.start(), match.end())
        for match in _ITALICS.finditer(text)
        if len(match[0].split()) >= _FEWEST_WRITTEN
    ]


def count_filled(text: str) -> int:
    """Counts the characters of the text that are not white space."""
    if is_even(text):
        return len(text) - text.count(" ")
    return sum(map(len, text.split()))


def count_words(text: str, pack: LanguagePack) -> int:
    """Counts words: between spaces and dashes (en), between spaces (ko), characters (zh)."""
    if pack.language == "zh":
        return len(_HAN_OR_WORD.findall(text))
    if pack.language == "en":
        for dash in ("—", "–", "--"):
            text = text.replace(dash, " ")
    if is_even(text):
        spaced = f" {text.strip()} "
        if "  " not in spaced and not _BARE.search(spaced):
            return spaced.count(" ") - 1
    return sum(any(map(str.isalnum, word)) for word in text.split())


def units_in(text: str, pack: LanguagePack) -> int:
    """Returns the length of a text in the units of its language: words, or non-space characters."""
    return count_words(text, pack) if pack.unit == "words" else count_filled(text)


def length_in(text: str, pack: LanguagePack, unit: Unit) -> int:
    """Returns the length of a text in this unit; words are counted as the language has them."""
    return count_words(text, pack) if unit == "words" else length_of(text, unit)


def unit_starts(text: str, span: Span, pack: LanguagePack) -> Iterator[int]:
    """Yields where each unit of the span begins."""
    if pack.unit == "words":
        for match in _BETWEEN_DASHES.finditer(text, span.start, span.end):
            if match[0][0].isalnum() or any(map(str.isalnum, match[0])):
                yield match.start()
    else:
        yield from (i for i in range(span.start, span.end) if not text[i].isspace())


def nth_unit(text: str, span: Span, number: int, pack: LanguagePack) -> int:
    """Returns where the unit with that number, from 0, begins; the span must contain it."""
    if pack.unit == "characters" and is_even(text):
        place, previous = span.start + number, -1
        while previous != place:
            previous = place
            place = span.start + number + text.count(" ", span.start, previous + 1)
        return place
    if pack.unit == "words" and len(words := span.of(text).split(None, number)) > number:
        before = text[span.start : (start := span.end - len(words[number]))]
        if count_words(before, pack) == number and words[number][0].isalnum():
            return start
    return next(islice(unit_starts(text, span, pack), number, None))


def sentences_of(text: str, speech: Sequence[Span], pack: LanguagePack) -> tuple[Sentence, ...]:
    """Returns a paragraph's sentences with openings and endings, given its speech."""
    if speech and speech[0] == (0, len(text)):
        return tuple(
            [_sentence((start, end, *_SAID_ALOUD)) for start, _, end in bounds(text, pack)]
        )
    sentences: list[Sentence] = []
    rule, in_words = pack.endings, pack.unit == "words"
    opening_of, closing_of = _OPENINGS[pack.language], _CLOSINGS[rule.kind]
    even = is_even(text) and not (in_words and "  " in text)
    for start, stop, end in bounds(text, pack):
        last = stop - 1
        while last >= start and not text[last].isalnum():
            last -= 1
        if last < start or (speech and inside(last, speech)):
            sentences.append(_sentence((start, end, *_SAID_ALOUD)))
            continue
        if even:
            spaces = text.count(" ", start, end)
            length = spaces + 1 if in_words else end - start - spaces
        else:
            words = text[start:end]
            length = len(words.split()) if in_words else count_filled(words)
        opening = "" if speech and inside(start, speech) else opening_of(text, start, last, rule)
        closing = closing_of(text, start, last, rule)
        sentences.append(_sentence((start, end, True, closing, opening, length)))
    return tuple(sentences)


def _last_word(text: str, start: int, last: int, rule: EndingRule) -> str:
    """Returns the class of an ending; here and below, `last` is the offset of a letter or digit."""
    near = max(start, last + 1 - _LONGEST_WORD)
    word = text[max(near, text.rfind(" ", near, last) + 1) : last + 1]
    if word.isalpha():
        return word.lower()
    match = _LAST_WORD.search(text[near : last + 1])
    return match[0].lower() if match else ""


def _last_syllable(text: str, start: int, last: int, rule: EndingRule) -> str:
    if rule.nouns and text[last - 1 : last + 1] in rule.noun_tails:
        noun = rule.nouns.search(text, max(start, last - _LONGEST_NOUN), last + 1)
        if noun:
            return noun[0]
    return text[last] if "가" <= text[last] <= "힣" else ""


def _last_particle(text: str, start: int, last: int, rule: EndingRule) -> str:
    return text[last] if text[last] in rule.particles else ""


def _first_word(text: str, start: int, last: int, rule: EndingRule) -> str:
    words = text[start : last + 1][:_LONGEST_WORD]
    word = words.partition(" ")[0]
    if word.isalpha():
        return word.lower()
    words = words.lstrip(_AROUND)
    word = words.partition(" ")[0]
    if word.isalpha():
        return word.lower()
    match = _WORD.match(words)
    return match[0].lower() if match else ""


def _first_characters(text: str, start: int, last: int, rule: EndingRule) -> str:
    words = text[start : min(start + 2, last + 1)]
    if not words[0].isalnum():
        words = text[start : last + 1][:_LONGEST_WORD].lstrip(_AROUND)[:2]
    return words if words in rule.openings or words[:1] not in rule.openings else words[:1]


_CLOSINGS = {
    "last-word": _last_word,
    "last-syllable": _last_syllable,
    "last-particle": _last_particle,
}
_OPENINGS = {"en": _first_word, "ko": _first_word, "zh": _first_characters}


def _is_quoted(text: str, place: int, speech: Sequence[Span]) -> bool:
    """Whether the place is spoken; a dash may open speech and may also adorn a notice."""
    return inside(place, speech) and text[place] not in "—–―-"


def _leaks(
    text: str, hits: Sequence[LexiconHit], speech: Sequence[Span], pack: LanguagePack, first: bool
) -> tuple[Span, ...]:
    places = {Span(hit.start, hit.end) for hit in hits}
    for line, is_heading in note_lines(text, pack):
        if not (is_heading and first) and not _is_quoted(text, line.start, speech):
            places.add(line)
    return tuple(sorted(places)) if places else ()


@lru_cache(maxsize=8192)
def note_lines(text: str, pack: LanguagePack) -> tuple[tuple[Span, bool], ...]:
    """Returns the words with which lines of a paragraph speak of the text, and whether each is only
    a heading; a line that begins as speech is none."""
    lines = []
    start = 0
    while True:
        end = text.find("\n", start)
        line = text[start:end] if end >= 0 else text[start:]
        spoken = line[:1] == "“"
        note = None if spoken else pack.leak_lines.match(text, start)
        heading = None if spoken or note else pack.leak_headings.match(text, start)
        if match := note or heading:
            lines.append((Span(match.start(), match.end()), note is None))
        elif speaks_of_the_text(line, pack):
            lines.append((Span(start, start + len(line)), False))
        if end < 0:
            return tuple(lines)
        start = end + 1


def speaks_of_the_text(line: str, pack: LanguagePack) -> bool:
    """Whether a line is said to whoever writes, makes or reads the text, and of the text: two such
    words, of which one is not enough by itself, and nothing of a narrator."""
    talk = pack.talk
    if not line or line[0] in _SPOKEN or len(line) > _LONGEST_TALK[pack.language]:
        return False
    if talk.narrator.search(line) or _SAID.search(line):
        return False
    readers = _different(talk.readers, line)
    offers = readers < 2 and talk.offers.search(line) is not None
    orders = 0 if readers > 1 else _different(talk.orders, line)
    if readers + offers + orders == 0 or (readers < 2 and not talk.ends.search(line)):
        return False
    parts = _different(talk.parts, line)
    if readers > 1 or (parts and (readers or offers)):
        return True
    return bool(parts) and orders + parts > 2


def _different(words: re.Pattern[str], line: str) -> int:
    return len({match[0].casefold() for match in words.finditer(line)})


_SPOKEN = "“\"‘'「『—–-―"
_LONGEST_TALK = {"en": 300, "ko": 160, "zh": 120}
_SAID = re.compile(r"[“「][^”」]*[.!?。！？…，,][”」]")


def _is_note(text: str, kind: ParagraphForm, pack: LanguagePack) -> bool:
    """Whether a paragraph is a note about the text from its first to its last line; of one that
    stands apart the first tells."""
    notes = [line for line, is_heading in note_lines(text, pack) if not is_heading]
    if kind == "apart":
        return bool(notes) and notes[0].start == 0
    lines = text.count("\n") + 1
    if lines > 1 and notes and notes[0].start == 0 and _heads(notes[0].of(text)):
        return True
    if lines > 1 and len(notes) < lines <= 2 * len(notes) + 1:
        return len(notes) + sum(map(_is_bold, text.split("\n"))) >= lines
    return len(notes) == lines


def _heads(line: str) -> bool:
    """Whether a note is the heading of what follows it: `Changes:`, `作者有话要说：`."""
    return line.rstrip("*_ ").endswith((":", "："))


def _is_bold(line: str) -> bool:
    return line.startswith("**") and line.rstrip().endswith("**")
